package main

// This file makes an exec tool of a function; copy it, it needs nothing but Go 1.22.
//
// Without an argument the program answers the one call on stdin; with --server it
// answers calls, JSON-RPC 2.0 a line, until stdin is closed.

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"unicode/utf8"
)

// Object is a JSON object whose members are not read yet; its keys are exact, as
// those of a struct are not.
type Object map[string]json.RawMessage

// Tool takes the value of args. An error that it returns is a failure that it
// reports; a panic is a fault of the tool, and ends this call only.
type Tool func(args Object) (any, error)

// rpcError is an error of JSON-RPC.
type rpcError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

func (e *rpcError) Error() string { return e.Message }

// fault is a panic of the tool.
type fault struct{ text string }

func (f fault) Error() string { return f.text }

// Serve runs the tool as this whole program.
func Serve(tool Tool) {
	server := len(os.Args) == 2 && os.Args[1] == "--server"
	if len(os.Args) > 1 && !server {
		fmt.Fprintf(os.Stderr, "usage: %s [--server]\n", filepath.Base(os.Args[0]))
		os.Exit(2)
	}
	// Stdout belongs to the answers: what the tool prints goes to stderr.
	out := os.Stdout
	os.Stdout = os.Stderr
	in := bufio.NewReaderSize(os.Stdin, 64<<10)
	if !server {
		data, _ := io.ReadAll(in)
		write(out, answerInput(tool, data))
		return
	}
	for {
		line, err := in.ReadBytes('\n')
		if answer := answerLine(tool, bytes.TrimSpace(line)); answer != nil {
			write(out, answer)
		}
		if err != nil {
			return
		}
	}
}

func write(out io.Writer, answer []byte) {
	if _, err := out.Write(append(answer, '\n')); err != nil {
		os.Exit(1) // nobody reads the answers
	}
}

// answerInput makes the object that answers all of stdin.
func answerInput(tool Tool, data []byte) []byte {
	request, err := readObject(data)
	if err != nil {
		return encode(map[string]string{"error": "the input must be a JSON object"})
	}
	args, err := readObject(request["args"])
	if err != nil {
		return encode(map[string]string{"error": "args must be an object"})
	}
	result, err := call(tool, args)
	if err != nil {
		text := err.Error()
		if text == "" {
			text = "the tool failed"
		}
		return encode(map[string]string{"error": text})
	}
	return encode(map[string]json.RawMessage{"result": result})
}

// answerLine makes the text that answers a line of JSON-RPC, or nil.
func answerLine(tool Tool, line []byte) []byte {
	if len(line) == 0 {
		return nil
	}
	if !json.Valid(line) || !utf8.Valid(line) {
		return failure(nil, &rpcError{-32700, "the line is not JSON"})
	}
	var batch []json.RawMessage
	if json.Unmarshal(line, &batch) != nil || len(batch) == 0 {
		return answer(tool, line)
	}
	var answers [][]byte
	for _, each := range batch {
		if text := answer(tool, each); text != nil {
			answers = append(answers, text)
		}
	}
	if answers == nil {
		return nil
	}
	return append(append([]byte{'['}, bytes.Join(answers, []byte{','})...), ']')
}

func answer(tool Tool, line []byte) []byte {
	request, err := readObject(line)
	if err != nil || readString(request["jsonrpc"]) != "2.0" {
		return failure(nil, &rpcError{-32600, `a request must be an object of jsonrpc "2.0"`})
	}
	// An id goes back as it came, whatever its digits.
	id, asked := request["id"]
	if len(id) > 0 && bytes.IndexByte([]byte("{[tf"), id[0]) >= 0 {
		return failure(nil, &rpcError{-32600, "id must be a string or a number"})
	}
	if method := request["method"]; len(method) == 0 || method[0] != '"' {
		return failure(id, &rpcError{-32600, "method must be a string"})
	}
	result, err := execute(tool, request)
	if !asked { // a notification has no answer
		return nil
	}
	if err != nil {
		return failure(id, err)
	}
	return encode(map[string]any{"jsonrpc": "2.0", "id": id, "result": result})
}

func execute(tool Tool, request Object) (json.RawMessage, error) {
	if method := readString(request["method"]); method != "execute" {
		return nil, &rpcError{-32601, fmt.Sprintf("there is no method %q", method)}
	}
	params, err := readObject(request["params"])
	if err != nil {
		return nil, &rpcError{-32602, "params must be an object"}
	}
	args, err := readObject(params["args"])
	if err != nil {
		return nil, &rpcError{-32602, "params must hold args, an object"}
	}
	return call(tool, args)
}

func failure(id json.RawMessage, err error) []byte {
	var shown *rpcError
	if !errors.As(err, &shown) {
		shown = &rpcError{-32000, err.Error()}
		if errors.As(err, new(fault)) {
			shown.Code = -32603
		}
	}
	return encode(map[string]any{"jsonrpc": "2.0", "id": id, "error": shown})
}

// call gives the result as JSON; what JSON cannot hold is a fault of the tool.
func call(tool Tool, args Object) (result json.RawMessage, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			fmt.Fprintf(os.Stderr, "panic: %v\n%s", cause, debug.Stack())
			err = fault{fmt.Sprintf("panic: %v", cause)}
		}
	}()
	value, err := tool(args)
	if err != nil {
		return nil, err
	}
	return encode(value), nil
}

func readObject(data []byte) (Object, error) {
	var object Object
	if !utf8.Valid(data) {
		return nil, errors.New("it is not UTF-8")
	}
	if err := json.Unmarshal(data, &object); err != nil {
		return nil, err
	}
	if object == nil {
		return nil, errors.New("it is null")
	}
	return object, nil
}

func readString(data json.RawMessage) string {
	var text string
	if json.Unmarshal(data, &text) != nil {
		return ""
	}
	return text
}

// encode writes JSON without the escapes that Go adds for HTML.
func encode(value any) []byte {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		panic(fmt.Sprintf("the result is no JSON: %v", err))
	}
	return bytes.TrimSuffix(text.Bytes(), []byte{'\n'})
}
