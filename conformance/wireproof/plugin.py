"""pytest plugin: options, and the runner when a subject is given."""
