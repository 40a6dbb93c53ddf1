package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzInput gives the command any input, without credentials, so that no network is needed. There
// must be one line of JSON, and the exit code that another JSON library says is right.
func FuzzInput(f *testing.F) {
	for _, seed := range []string{
		`{"query":"test"}`, `{"query":"x"}`, `{"query":"test","num":11}`, `{"query":1}`, `{}`, `[]`,
		``, "\n", `{"query":"te`,
		`{"query":"test","num":1e999,"start":-0.0,"allowed_domains":[1,"a",null],"blocked_domains":{}}`,
	} {
		f.Add([]byte(seed))
	}
	empty := func(string) (string, bool) { return "", true }
	f.Fuzz(func(t *testing.T, input []byte) {
		var stdout bytes.Buffer
		code := run(t.Context(), nil, bytes.NewReader(input), &stdout, empty)

		line, ok := strings.CutSuffix(stdout.String(), "\n")
		if !ok || strings.Contains(line, "\n") || !utf8.ValidString(line) {
			t.Fatalf("not one line: %q", stdout.String())
		}
		var answer struct {
			Success *bool
			Error   *string
			Code    string `json:"error_code"`
		}
		if err := json.Unmarshal([]byte(line), &answer); err != nil || answer.Success == nil ||
			*answer.Success || answer.Error == nil {
			t.Fatalf("%v: %q", err, line)
		}
		wantCode, wantError := expectation(input)
		if code != wantCode || wantError != "" && answer.Code != wantError {
			t.Errorf("exit code %d, %s; want %d, %s", code, answer.Code, wantCode, wantError)
		}
	})
}

// expectation returns the exit code and the error code for an input without credentials. The error
// code is "" where it depends on num and start.
func expectation(input []byte) (int, string) {
	object := objectIn(input)
	query, ok := object["query"].(string)
	switch {
	case !ok:
		return 1, "INVALID_INPUT"
	case utf8.RuneCountInString(query) < 2:
		return 0, "INVALID_INPUT"
	case object["num"] == nil && object["start"] == nil:
		return 0, "AUTH_MISSING"
	default:
		return 0, ""
	}
}

// objectIn returns the object that an input is, if it is one, with numbers as they are written.
func objectIn(input []byte) map[string]any {
	if !json.Valid(input) || !utf8.Valid(input) {
		return nil
	}
	var object map[string]any
	decoder := json.NewDecoder(bytes.NewReader(input))
	decoder.UseNumber()
	if decoder.Decode(&object) != nil {
		return nil
	}
	return object
}
