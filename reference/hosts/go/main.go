// Command wireproof-host is a tool host in Go (protocol host-v1): one JSON object
// a line, requests on stdin, responses and events on stdout.
//
// main.go reads the lines and ends the process, call.go is one request in flight,
// methods.go holds the methods, toolset.go the tools.
package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"
)

const (
	// maxLine leaves room for 16 MiB of text, escaped, in six bytes a character.
	maxLine = 128 << 20
	// A client expects the host to be gone 2 s after it has closed stdin.
	finishTime = 1600 * time.Millisecond
	stderrTime = 200 * time.Millisecond
	// Beyond so many calls at a time no other request is read until one has ended.
	maxCalls = 256
)

func main() {
	if len(os.Args) > 1 {
		fmt.Fprintln(os.Stderr, "usage: wireproof-host")
		os.Exit(2)
	}
	// A client that has closed stderr is no reason to die: with Notify a write there
	// only fails. Ignore would be inherited by the processes that a tool starts.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	w := &wire{out: os.Stdout}
	flushLog := divertOutput()
	h := &host{tools: conformanceToolset()}
	in := bufio.NewReaderSize(os.Stdin, 64<<10)

	var inFlight sync.WaitGroup
	room := make(chan struct{}, maxCalls)
	for {
		line, err := readLine(in)
		if err == io.EOF {
			break
		}
		if err != nil {
			w.begin(nil).finish(nil, nil, refusal("BadLine", err.Error()))
			continue
		}
		if line = bytes.Trim(line, " \t\r"); len(line) == 0 {
			continue
		}
		request, err := parseRequest(line)
		c := w.begin(stringID(request))
		room <- struct{}{}
		inFlight.Add(1)
		go func() {
			defer func() { <-room; inFlight.Done() }()
			h.answer(c, request, err)
		}()
	}

	finished := make(chan struct{})
	go func() {
		inFlight.Wait()
		close(finished)
	}()
	select {
	case <-finished:
	case <-time.After(finishTime):
		w.failAll(refusal("Shutdown", "stdin was closed before the call ended"))
	}
	flushLog(stderrTime)
}

// readLine gives the next line without its line feed, or io.EOF, or why the line
// cannot be read. A line that is too long is not kept.
func readLine(in *bufio.Reader) ([]byte, error) {
	var line []byte
	size := 0
	for {
		piece, err := in.ReadSlice('\n')
		size += len(piece)
		if size <= maxLine {
			line = append(line, piece...)
		} else {
			line = nil
		}
		switch {
		case err == nil && size <= maxLine:
			return line[:size-1], nil
		case err == nil:
			return nil, fmt.Errorf("the line is longer than %d bytes", maxLine)
		case err == bufio.ErrBufferFull:
			continue
		case size > 0:
			return nil, errors.New("the last line has no line feed")
		default:
			// Whatever ended stdin, there will be no more requests.
			return nil, io.EOF
		}
	}
}

// divertOutput keeps stdout for the protocol: what a tool prints goes to stderr,
// and so does what it logs. Nothing of it ever blocks the tool: while nobody reads
// stderr, some megabytes are held and the rest is dropped. The function that it
// gives flushes what is held, but not for longer than it is told.
func divertOutput() func(time.Duration) {
	stderr := os.Stderr
	read, write, err := os.Pipe()
	if err != nil {
		os.Stdout = stderr
		return func(time.Duration) {}
	}
	// The log package looks for os.Stderr only once, at start.
	os.Stdout, os.Stderr = write, write
	log.SetOutput(write)

	held := make(chan []byte, 4096)
	flushed := make(chan struct{})
	go func() {
		defer close(held)
		buffer := make([]byte, 64<<10)
		for {
			n, err := read.Read(buffer)
			if err != nil {
				return
			}
			select {
			case held <- bytes.Clone(buffer[:n]):
			default:
			}
		}
	}()
	go func() {
		defer close(flushed)
		for piece := range held {
			// A failed write has nowhere to be reported.
			_, _ = stderr.Write(piece)
		}
	}()
	return func(limit time.Duration) {
		_ = write.Close()
		select {
		case <-flushed:
		case <-time.After(limit):
		}
	}
}
