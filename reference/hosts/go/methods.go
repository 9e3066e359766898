package main

import (
	"encoding/json"
	"fmt"
	"unicode/utf8"
)

// State is the tool state, which the client owns and sends with each request.
type State = Object

// Context is what a tool knows of its call.
type Context struct {
	// State is that of the request; the tool may change it.
	State State
	// Emit sends an event at once.
	Emit func(kind string, payload any)
}

// A Tool is one tool of a host.
type Tool struct {
	Name        string
	Description string
	// Parameters is a JSON Schema.
	Parameters json.RawMessage
	// Run gives the result. An error is a failure that the tool reports; a panic
	// is the tool's own, and answered with a failure response.
	Run func(arguments Object, context *Context) (any, error)
}

type host struct {
	tools []Tool
}

type method func(*host, Object, *Context) (any, error)

var methods = map[string]method{
	"init":                     (*host).init,
	"get_tool_schemas":         (*host).getToolSchemas,
	"execute_tool":             (*host).executeTool,
	"get_config_schema":        (*host).getConfigSchema,
	"get_ui_elements":          (*host).getUIElements,
	"get_tags":                 (*host).getTags,
	"required_tags":            (*host).requiredTags,
	"format_tool_result":       (*host).formatToolResult,
	"format_tool_call_preview": (*host).formatToolCallPreview,
	"to_display_format":        (*host).toDisplayFormat,
}

// answer answers a request, or says why it could not be parsed.
func (h *host) answer(c *call, request Object, err error) {
	defer c.finishAnyway()
	if err != nil {
		c.finish(nil, nil, err)
		return
	}
	c.finish(h.perform(request, c))
}

func parseRequest(line []byte) (Object, error) {
	// encoding/json would replace the bad bytes without a word.
	if !utf8.Valid(line) {
		return nil, refusal("BadLine", "the line is not UTF-8")
	}
	if !json.Valid(line) {
		var nothing any
		err := json.Unmarshal(line, &nothing)
		return nil, refusal("BadLine", fmt.Sprint("the line is not JSON: ", err))
	}
	request, ok := asObject(line)
	if !ok {
		return nil, refusal("BadRequest", "a request must be an object")
	}
	return request, nil
}

func (h *host) perform(request Object, c *call) (any, *State, error) {
	if _, err := request.text("id"); err != nil {
		return nil, nil, err
	}
	if _, err := request.integer("v", 1, 1); err != nil {
		return nil, nil, refusal("BadRequest", "v must be 1")
	}
	name, err := request.text("method")
	if err != nil {
		return nil, nil, err
	}
	params, err := request.object("params")
	if err != nil {
		return nil, nil, err
	}
	run, ok := methods[name]
	if !ok {
		return nil, nil, refusal("UnknownMethod", "there is no method "+name)
	}
	state, err := params.optionalObject("state")
	if err != nil {
		return nil, nil, err
	}
	context := &Context{State: state, Emit: c.emit}
	value, err := run(h, params, context)
	if _, carried := params["state"]; !carried && name != "init" {
		return value, nil, err
	}
	return value, &context.State, err
}

func (h *host) init(params Object, context *Context) (any, error) {
	_, err := params.optionalObject("config")
	context.State = State{"conformance_counter": json.RawMessage("0")}
	return context.State, err
}

func (h *host) getToolSchemas(Object, *Context) (any, error) {
	schemas := []any{}
	for _, tool := range h.tools {
		schemas = append(schemas, map[string]any{
			"type": "function",
			"function": map[string]any{
				"name":        tool.Name,
				"description": tool.Description,
				"parameters":  tool.Parameters,
			},
		})
	}
	return schemas, nil
}

func (h *host) executeTool(params Object, context *Context) (any, error) {
	name, err := params.text("tool_name")
	if err != nil {
		return nil, err
	}
	arguments, err := params.object("arguments")
	if err != nil {
		return nil, err
	}
	for _, tool := range h.tools {
		if tool.Name != name {
			continue
		}
		result, err := tool.Run(arguments, context)
		if err != nil {
			return map[string]any{"success": false, "error": err.Error()}, nil
		}
		return map[string]any{"success": true, "result": result}, nil
	}
	return nil, refusal("UnknownTool", "there is no tool "+name)
}

func (h *host) getConfigSchema(Object, *Context) (any, error) {
	return json.RawMessage(`{"type":"object","properties":{}}`), nil
}

func (h *host) getUIElements(Object, *Context) (any, error) {
	text := "There is nothing to configure."
	return []any{map[string]string{"type": "text", "text": text}}, nil
}

func (h *host) getTags(params Object, _ *Context) (any, error) {
	if _, err := params.optionalObject("config"); err != nil {
		return nil, err
	}
	if models, ok := params["models"]; ok && models[0] != '[' {
		return nil, refusal("BadRequest", "models must be an array")
	}
	return []string{"conformance"}, nil
}

func (h *host) requiredTags(Object, *Context) (any, error) {
	return []string{}, nil
}

func (h *host) formatToolResult(params Object, _ *Context) (any, error) {
	result, ok := params["result"]
	if !ok {
		return nil, refusal("BadRequest", "result is missing")
	}
	if object, ok := asObject(result); ok {
		switch string(object["success"]) {
		case "true":
			result = object["result"]
		case "false":
			result = object["error"]
		}
	}
	return asText(result), nil
}

func (h *host) formatToolCallPreview(params Object, _ *Context) (any, error) {
	name, err := params.text("tool_name")
	if err != nil {
		return nil, err
	}
	if _, err := params.object("arguments"); err != nil {
		return nil, err
	}
	return fmt.Sprintf("%s(%s)", name, params["arguments"]), nil
}

func (h *host) toDisplayFormat(params Object, _ *Context) (any, error) {
	text, err := params.text("text")
	return map[string]string{"type": "text", "text": text}, err
}

// asText gives a string as it is, anything else as JSON.
func asText(value json.RawMessage) string {
	var text string
	if len(value) > 0 && value[0] == '"' && json.Unmarshal(value, &text) == nil {
		return text
	}
	if len(value) == 0 {
		return "null"
	}
	return string(value)
}
