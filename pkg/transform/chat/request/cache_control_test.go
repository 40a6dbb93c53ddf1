package request_test

import (
	"testing"

	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/transform/chat/request"
)

func TestCacheMarksAreNoLoss(t *testing.T) {
	t.Parallel()
	in := openaitest.DecodeRequest(t,
		`{"model":"gemini-3.6-flash","messages":[{"role":"system","content":"a","cache_control":{"type":"ephemeral"}},
		{"role":"user","content":[{"type":"text","text":"b","cache_control":{"type":"ephemeral","ttl":"1h"}}]}],
		"tools":[{"type":"function","function":{"name":"f"},"cache_control":{"type":"ephemeral"}}]}`)
	_, report, err := request.ToGemini(in)
	if err != nil || report.Strict() != nil {
		t.Errorf("%v, %v", err, report)
	}
	for _, pointer := range []string{"/messages/0/cache_control",
		"/messages/1/content/0/cache_control", "/tools/0/cache_control"} {
		if !report.Covers(pointer) {
			t.Errorf("nothing about %s: %v", pointer, report)
		}
	}
}
