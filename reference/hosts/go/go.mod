module wireproof-host

go 1.22
