// Command wireproof-exec-tool is the conformance toolset as an exec tool, one-shot or
// with --server.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"
)

// That of this process: each one-shot call begins anew.
var counter int64

func main() {
	Serve(func(args Object) (any, error) {
		arguments, err := readObject(args["arguments"])
		if err != nil {
			arguments = Object{}
		}
		name := readString(args["tool"])
		tool, known := toolset[name]
		if !known {
			return nil, fmt.Errorf("there is no tool %q", name)
		}
		return tool(arguments)
	})
}

var toolset = map[string]Tool{
	"conformance_echo": func(args Object) (any, error) {
		return map[string]json.RawMessage{"value": args["value"]}, nil
	},
	"conformance_return": func(args Object) (any, error) {
		return args["value"], nil
	},
	"conformance_fail": func(args Object) (any, error) {
		return nil, errors.New(readString(args["message"]))
	},
	"conformance_throw": func(args Object) (any, error) {
		panic(readString(args["message"]))
	},
	"conformance_counter": func(args Object) (any, error) {
		by, err := readInteger(args, "by", "1")
		counter += by
		return map[string]int64{"counter": counter}, err
	},
	"conformance_sleep": func(args Object) (any, error) {
		ms, err := readInteger(args, "ms", "")
		time.Sleep(time.Duration(ms) * time.Millisecond)
		return map[string]int64{"slept_ms": ms}, err
	},
	"conformance_blob": func(args Object) (any, error) {
		size, err := readInteger(args, "size", "")
		if err != nil {
			return nil, err
		}
		return strings.Repeat("x", int(size)), nil
	},
	"conformance_print": func(args Object) (any, error) {
		fmt.Println(readString(args["text"]))
		return map[string]bool{"printed": true}, nil
	},
	"conformance_stderr": func(args Object) (any, error) {
		size, err := readInteger(args, "size", "")
		if err != nil {
			return nil, err
		}
		fmt.Fprint(os.Stderr, strings.Repeat("x", int(size)))
		return map[string]int64{"written": size}, nil
	},
	"conformance_env": func(args Object) (any, error) {
		var names []string
		if err := json.Unmarshal(args["names"], &names); err != nil {
			return nil, errors.New("names must be an array of strings")
		}
		values := map[string]any{}
		for _, name := range names {
			values[name] = nil
			if value, set := os.LookupEnv(name); set {
				values[name] = value
			}
		}
		return values, nil
	},
}

// readInteger reads an integer argument, which JSON may write as 5 or as 5.0.
func readInteger(args Object, name, fallback string) (int64, error) {
	text, given := args[name]
	if !given {
		text = json.RawMessage(fallback)
	}
	var number float64
	if json.Unmarshal(text, &number) != nil || number != float64(int64(number)) {
		return 0, fmt.Errorf("%s must be an integer", name)
	}
	return int64(number), nil
}
