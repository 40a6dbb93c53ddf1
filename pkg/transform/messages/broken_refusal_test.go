package messages_test

import (
	"io"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/transform/messages"
)

// The error of the stream takes precedence, because more than the refusal may be missing.
func TestRefusalThatBreaksOffIsAFailureOfTheServer(t *testing.T) {
	t.Parallel()
	refusal := &geminiapi.GenerateContentResponse{PromptFeedback: &geminiapi.PromptFeedback{BlockReason: new(geminiapi.BlockReasonSafety)}}
	for name, test := range map[string]struct {
		failure error
		code    string
	}{
		"whole":  {nil, `"stop_reason":"refusal"`},
		"broken": {io.ErrUnexpectedEOF, `event: error`},
	} {
		var body strings.Builder
		_, err := messages.WriteStream(&body,
			openaitest.Pairs([]*geminiapi.GenerateContentResponse{refusal}, test.failure))
		if (err == nil) != (test.failure == nil) || !strings.Contains(body.String(), test.code) {
			t.Errorf("%s: %v, %s", name, err, body.String())
		}
	}
}
