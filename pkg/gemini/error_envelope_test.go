package gemini_test

import (
	"testing"

	"github.com/gemwire/gemwire/pkg/gemini"
)

func TestAnEnvelopeIsToldFromAnAnswer(t *testing.T) {
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
