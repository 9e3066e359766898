module wireproof-exec-tool

go 1.22
