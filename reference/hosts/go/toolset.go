package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

const (
	// A mistaken size must not exhaust the memory of the host.
	maxSize = 64 << 20
	maxMS   = 1<<31 - 1
	// Integers within ±maxExact are exact in every JSON implementation.
	maxExact = 1<<53 - 1
)

// conformanceToolset gives the tools whose behaviour is known, so that a host that
// offers them can be tried in full.
func conformanceToolset() []Tool {
	return []Tool{
		{
			Name:        "conformance_echo",
			Description: "Give back the value unchanged.",
			Parameters: json.RawMessage(`{"type":"object",
				"properties":{"value":{}},"required":["value"]}`),
			Run: runEcho,
		},
		{
			Name:        "conformance_fail",
			Description: "Report failure with the message.",
			Parameters: json.RawMessage(`{"type":"object",
				"properties":{"message":{"type":"string"}},"required":["message"]}`),
			Run: runFail,
		},
		{
			Name:        "conformance_throw",
			Description: "Panic with the message.",
			Parameters: json.RawMessage(`{"type":"object",
				"properties":{"message":{"type":"string"}},"required":["message"]}`),
			Run: runThrow,
		},
		{
			Name:        "conformance_stream",
			Description: "Emit one part for each element, in order.",
			Parameters: json.RawMessage(`{"type":"object",
				"properties":{
					"parts":{"type":"array","items":{"type":"object"}},
					"delay_ms":{"type":"integer","minimum":0,"default":0}},
				"required":["parts"]}`),
			Run: runStream,
		},
		{
			Name:        "conformance_counter",
			Description: "Add to the counter in the tool state.",
			Parameters: json.RawMessage(`{"type":"object",
				"properties":{"by":{"type":"integer","default":1}}}`),
			Run: runCounter,
		},
		{
			Name:        "conformance_sleep",
			Description: "Sleep for some milliseconds.",
			// ignore_cancel is for protocols that can cancel a call.
			Parameters: json.RawMessage(`{"type":"object",
				"properties":{
					"ms":{"type":"integer","minimum":0},
					"ignore_cancel":{"type":"boolean","default":false}},
				"required":["ms"]}`),
			Run: runSleep,
		},
		{
			Name:        "conformance_blob",
			Description: "Give a string of the size.",
			Parameters: json.RawMessage(`{"type":"object",
				"properties":{"size":{"type":"integer","minimum":0}},"required":["size"]}`),
			Run: runBlob,
		},
		{
			Name:        "conformance_print",
			Description: "Print the text with the language's ordinary print call.",
			Parameters: json.RawMessage(`{"type":"object",
				"properties":{"text":{"type":"string"}},"required":["text"]}`),
			Run: runPrint,
		},
		{
			Name:        "conformance_stderr",
			Description: "Write so many bytes to stderr.",
			Parameters: json.RawMessage(`{"type":"object",
				"properties":{"size":{"type":"integer","minimum":0}},"required":["size"]}`),
			Run: runStderr,
		},
		{
			Name:        "conformance_env",
			Description: "Give the values of environment variables, or null.",
			Parameters: json.RawMessage(`{"type":"object",
				"properties":{"names":{"type":"array","items":{"type":"string"}}},
				"required":["names"]}`),
			Run: runEnv,
		},
	}
}

func runEcho(arguments Object, _ *Context) (any, error) {
	value, ok := arguments["value"]
	if !ok {
		return nil, errors.New("value is missing")
	}
	return Object{"value": value}, nil
}

func runFail(arguments Object, _ *Context) (any, error) {
	message, err := arguments.text("message")
	if err != nil {
		return nil, err
	}
	return nil, errors.New(message)
}

func runThrow(arguments Object, _ *Context) (any, error) {
	message, err := arguments.text("message")
	if err != nil {
		return nil, err
	}
	panic(message)
}

func runStream(arguments Object, context *Context) (any, error) {
	parts, err := arguments.list("parts")
	if err != nil {
		return nil, err
	}
	ms, err := arguments.optionalInteger("delay_ms", 0, 0, maxMS)
	if err != nil {
		return nil, err
	}
	for _, part := range parts {
		context.Emit("part", part)
		time.Sleep(time.Duration(ms) * time.Millisecond)
	}
	return map[string]int{"count": len(parts)}, nil
}

func runCounter(arguments Object, context *Context) (any, error) {
	by, err := arguments.optionalInteger("by", 1, -maxExact, maxExact)
	if err != nil {
		return nil, err
	}
	const key = "conformance_counter"
	counter, err := context.State.optionalInteger(key, 0, -maxExact, maxExact)
	if err != nil {
		return nil, err
	}
	counter += by
	if counter < -maxExact || counter > maxExact {
		return nil, errors.New("the counter leaves the range of exact integers")
	}
	context.State[key] = json.RawMessage(strconv.FormatInt(counter, 10))
	return map[string]int64{"counter": counter}, nil
}

func runSleep(arguments Object, _ *Context) (any, error) {
	ms, err := arguments.integer("ms", 0, maxMS)
	if err != nil {
		return nil, err
	}
	time.Sleep(time.Duration(ms) * time.Millisecond)
	return map[string]int64{"slept_ms": ms}, nil
}

func runBlob(arguments Object, _ *Context) (any, error) {
	size, err := arguments.integer("size", 0, maxSize)
	return strings.Repeat("x", int(size)), err
}

func runPrint(arguments Object, _ *Context) (any, error) {
	text, err := arguments.text("text")
	if err != nil {
		return nil, err
	}
	fmt.Println(text)
	return map[string]bool{"printed": true}, nil
}

func runStderr(arguments Object, _ *Context) (any, error) {
	size, err := arguments.integer("size", 0, maxSize)
	if err != nil {
		return nil, err
	}
	if _, err := os.Stderr.WriteString(strings.Repeat("x", int(size))); err != nil {
		return nil, err
	}
	return map[string]int64{"written": size}, nil
}

func runEnv(arguments Object, _ *Context) (any, error) {
	var names []*string
	if json.Unmarshal(arguments["names"], &names) != nil || names == nil {
		return nil, errors.New("names must be an array of strings")
	}
	values := map[string]*string{}
	for _, name := range names {
		if name == nil {
			return nil, errors.New("names must be an array of strings")
		}
		values[*name] = nil
		if value, ok := os.LookupEnv(*name); ok {
			values[*name] = &value
		}
	}
	return values, nil
}
