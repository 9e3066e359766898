#!/bin/sh
# The conformance toolset as a one-shot exec tool in sh, with jq 1.6 or later.
#
# A tool of your own needs the lines up to the ruler, and below it something that ends
# with `succeed` or `fail`.

if [ $# -gt 0 ]; then
  echo "usage: sh toolset.sh" >&2
  exit 2
fi

# Stdout belongs to the answer: what the tool prints goes to stderr.
exec 3>&1 1>&2

# Report failure with the text on stdin.
fail() {
  jq -Rsc '{error: (if . == "" then "the tool failed" else . end)}' >&3
}

# Answer with what a jq program makes of args.
succeed() {
  get "{result: ($1)}" >&3 || echo 'the arguments are wrong' | fail
}

# What a jq program makes of args; with the option -j a string as it is, not as JSON.
get() {
  printf '%s' "$args" | jq -c "$@"
}

# Exactly one JSON object with args, an object.
args=$(jq -sce '
  if length == 1 then .[0] else error("not one value") end
  | if any(.. | numbers; isnan or isinfinite) then error("not JSON") else . end
  | .args | if type == "object" then . else error("no args") end
') || {
  printf 'the input must be one JSON object with args, an object' | fail
  exit 0
}

# ----------------------------------------------------------------------------------

case $(get -j .tool) in
  conformance_echo) succeed '{value: .arguments.value}' ;;
  conformance_return) succeed .arguments.value ;;
  conformance_fail) get -j .arguments.message | fail ;;
  conformance_throw)
    get -j '"Error: " + .arguments.message + "\n"'
    get -j '"Error: " + .arguments.message' | fail
    ;;
  conformance_counter) succeed '{counter: (.arguments.by // 1)}' ;;
  conformance_sleep)
    sleep "$(get '.arguments.ms / 1000')"
    succeed '{slept_ms: .arguments.ms}'
    ;;
  # The product of a string and 0 is null.
  conformance_blob) succeed '"x" * .arguments.size // ""' ;;
  conformance_print)
    get -j '.arguments.text + "\n"'
    succeed '{printed: true}'
    ;;
  conformance_stderr)
    head -c "$(get .arguments.size)" /dev/zero | tr '\0' x >&2
    succeed '{written: .arguments.size}'
    ;;
  conformance_env) succeed '.arguments.names | map({(.): $ENV[.]}) | add // {}' ;;
  *) get -j '"there is no tool \(.tool)"' | fail ;;
esac
