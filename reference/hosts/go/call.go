package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"sync"
)

// A message is what the host writes. Its id is the text that the client sent, so
// that it comes back as it was.
type message struct {
	V      int             `json:"v"`
	ID     json.RawMessage `json:"id"`
	OK     *bool           `json:"ok,omitempty"`
	Result *success        `json:"result,omitempty"`
	Error  *failure        `json:"error,omitempty"`
	Event  *event          `json:"event,omitempty"`
}

type success struct {
	Value any `json:"value"`
	// A pointer, because omitempty would leave out an empty state.
	State *State `json:"state,omitempty"`
}

type event struct {
	Type    string `json:"type"`
	Payload any    `json:"payload"`
}

// A failure is an error in the shape of the protocol.
type failure struct {
	Type   string `json:"type"`
	Detail string `json:"detail"`
	Stack  string `json:"stack,omitempty"`
}

func (f *failure) Error() string { return f.Detail }

func refusal(kind, detail string) *failure {
	return &failure{Type: kind, Detail: detail}
}

// A wire writes messages to the client, each in one piece.
type wire struct {
	mu    sync.Mutex
	out   *os.File
	calls sync.Map // of *call, those that are open
}

// A call is a request in flight: events while it is open, then one response.
type call struct {
	wire *wire
	id   json.RawMessage
	mu   sync.Mutex
	done bool
}

// begin opens a call; without an id its response has the id null.
func (w *wire) begin(id json.RawMessage) *call {
	c := &call{wire: w, id: id}
	w.calls.Store(c, nil)
	return c
}

// stringID gives the id as it was sent, or nil where it is no string.
func stringID(request Object) json.RawMessage {
	if id, ok := request["id"]; ok && id[0] == '"' {
		return id
	}
	return nil
}

// failAll answers every open call with the failure.
func (w *wire) failAll(f *failure) {
	w.calls.Range(func(c, _ any) bool {
		c.(*call).finish(nil, nil, f)
		return true
	})
}

func (w *wire) write(line []byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, err := w.out.Write(line); err != nil {
		// The client is gone, and with it the reason to run.
		os.Exit(1)
	}
}

// emit sends an event. It panics after the response, and for a payload that is
// no JSON: both are mistakes of the tool.
func (c *call) emit(kind string, payload any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.done {
		panic("an event was emitted after the response")
	}
	line, err := c.encode(message{Event: &event{kind, payload}})
	if err != nil {
		panic(err)
	}
	c.wire.write(line)
}

// finish sends the response; only the first one counts.
func (c *call) finish(value any, state *State, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.done {
		return
	}
	ok := err == nil
	var line []byte
	if ok {
		line, err = c.encode(message{OK: &ok, Result: &success{value, state}})
	}
	if err != nil {
		ok = false
		var f *failure
		if !errors.As(err, &f) {
			f = refusal("Error", err.Error())
		}
		// A failure is an id that was parsed and strings: it always encodes.
		line, _ = c.encode(message{OK: &ok, Error: f})
	}
	c.done = true
	c.wire.write(line)
	// Only now, so that failAll waits for a response that is being written.
	c.wire.calls.Delete(c)
}

// finishAnyway answers a call whose tool has panicked, or has ended its goroutine.
// To be deferred.
func (c *call) finishAnyway() {
	f := refusal("Error", "the tool ended without a result")
	if reason := recover(); reason != nil {
		f = &failure{"panic", fmt.Sprint(reason), string(debug.Stack())}
	}
	c.finish(nil, nil, f)
}

// encode gives the message as a line. Encoder ends it with a line feed.
func (c *call) encode(m message) ([]byte, error) {
	m.V, m.ID = 1, c.id
	var line bytes.Buffer
	encoder := json.NewEncoder(&line)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(m)
	return line.Bytes(), err
}
