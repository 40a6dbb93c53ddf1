package gateway

import (
	"net/http"

	"github.com/gemwire/gemwire/gen/anthropicapi"
	"github.com/gemwire/gemwire/pkg/anthropic"
	"github.com/gemwire/gemwire/pkg/gateway/internal/problem"
)

// messageTokensForm counts the tokens of a conversation, which Claude Code asks for often.
var messageTokensForm = anthropicOperation("message_tokens")

// CountTokens counts the tokens of a conversation.
func (s anthropicServer) CountTokens(w http.ResponseWriter, r *http.Request, _ anthropicapi.CountTokensParams) {
	s.serve(w, r, &messageTokensForm, func(c *call) *problem.Problem {
		t, p := readMessageTurn(c)
		if p != nil {
			return p
		}
		t.isCounted = true
		tokens, p := c.countTokens(t)
		if p != nil {
			return p
		}
		return c.writeJSON(func(dst []byte) ([]byte, error) {
			return anthropic.AppendCount(dst, &anthropicapi.MessageTokensCount{InputTokens: tokens})
		})
	})
}
