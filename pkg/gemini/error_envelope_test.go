package gemini_test

import (
	"testing"

	"github.com/gemwire/gemwire/pkg/gemini"
)

func TestAnEnvelopeDiffersFromAnAnswer(t *testing.T) {
	t.Parallel()
	tests := []struct {
		in   string
		want bool
	}{
		{`{}`, false},
		{`{"error":null}`, false},
		{`{"candidates":[{}],"other":1}`, false},
		{`{"error":{"code":503}}`, true},
		{`{"error":"overloaded"}`, true},
		{`{"error":true,"candidates":[{}]}`, true},
		{`{"error":{"code":503},"candidates":[{}]}`, true},
		{`{"error":[0],"candidates":[{}]}`, true},
		{`{"error":{}}`, true},
		{`{"error":false}`, true},
		{`{"error":{},"modelVersion":"m"}`, true},
		{`{"error":{ },"candidates":[{}]}`, false},
		{`{"error":[],"candidates":[{}]}`, false},
		{`{"error":false,"usageMetadata":{}}`, false},
		{`{"error":0,"promptFeedback":{}}`, false},
		{`{"error":"","candidates":[{}]}`, false},
	}
	for _, tt := range tests {
		r, err := gemini.DecodeResponse([]byte(tt.in))
		if err != nil {
			t.Fatal(err)
		}
		if got := gemini.IsError(r); got != tt.want {
			t.Errorf("%s: %v", tt.in, got)
		}
	}
	if gemini.IsError(nil) {
		t.Error("nothing is an error")
	}
}

func TestAnErrorIsAChunkOfTheDocumentedForm(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ body, want string }{
		"an object":        {`{"error":{"code":503,"message":"busy"},"more":1}`, `{"error":{"code":503,"message":"busy"},"more":1}`},
		"in a list":        {`[{"error":{"code":503}},{"candidates":[]}]`, `{"error":{"code":503}}`},
		"only a message":   {`{"error":"boom","more":1}`, `{"error":{"message":"boom"},"more":1}`},
		"without a member": {`{"code":503,"message":"busy"}`, `{"error":{"code":503,"message":"busy"}}`},
		"a page":           {`<html></html>`, ""},
		"a text":           {`"busy"`, ""},
		"nothing":          {``, ""},
	}
	for name, tt := range tests {
		chunk := gemini.DecodeError(503, nil, []byte(tt.body)).Envelope()
		if chunk == nil {
			if tt.want != "" {
				t.Errorf("%s: it has none", name)
			}
			continue
		}
		if data, err := gemini.EncodeResponse(chunk); err != nil || string(data) != tt.want {
			t.Errorf("%s: %s, %v", name, data, err)
		}
	}
}
