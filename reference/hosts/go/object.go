package main

import (
	"encoding/json"
	"fmt"
)

// An Object is a JSON object whose values are the text that the client sent: no
// integer loses a digit, and what is given back is what came. A struct would not
// do, since encoding/json matches its fields without regard to case.
type Object map[string]json.RawMessage

func asObject(value json.RawMessage) (Object, bool) {
	var object Object
	// JSON null leaves the map nil.
	err := json.Unmarshal(value, &object)
	return object, err == nil && object != nil
}

func (o Object) object(key string) (Object, error) {
	object, ok := asObject(o[key])
	if !ok {
		return nil, refusal("BadRequest", key+" must be an object")
	}
	return object, nil
}

func (o Object) optionalObject(key string) (Object, error) {
	if _, ok := o[key]; !ok {
		return Object{}, nil
	}
	return o.object(key)
}

func (o Object) text(key string) (string, error) {
	var text *string
	if json.Unmarshal(o[key], &text) != nil || text == nil {
		return "", refusal("BadRequest", key+" must be a string")
	}
	return *text, nil
}

func (o Object) list(key string) ([]json.RawMessage, error) {
	var list []json.RawMessage
	if json.Unmarshal(o[key], &list) != nil || list == nil {
		return nil, refusal("BadRequest", key+" must be an array")
	}
	return list, nil
}

// integer reads a number without a fraction; 5.0 and 5 are one number.
func (o Object) integer(key string, least, most int64) (int64, error) {
	var number *float64
	if json.Unmarshal(o[key], &number) == nil && number != nil {
		integer := int64(*number)
		if float64(integer) == *number && least <= integer && integer <= most {
			return integer, nil
		}
	}
	detail := fmt.Sprintf("%s must be an integer from %d to %d", key, least, most)
	return 0, refusal("BadRequest", detail)
}

func (o Object) optionalInteger(key string, absent, least, most int64) (int64, error) {
	if _, ok := o[key]; !ok {
		return absent, nil
	}
	return o.integer(key, least, most)
}
