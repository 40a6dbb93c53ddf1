package gateway

import (
	"net/http"

	"github.com/gemwire/gemwire/gen/anthropicapi"
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/optional"
	"github.com/gemwire/gemwire/pkg/anthropic"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/gemwire/gemwire/pkg/transform/messages/request"
)

// messageTokensForm counts the tokens of a conversation, which Claude Code asks for often.
var messageTokensForm = anthropicOperation("message_tokens")

// CountTokens counts the tokens of a conversation.
func (s anthropicServer) CountTokens(w http.ResponseWriter, r *http.Request, _ anthropicapi.CountTokensParams) {
	s.serve(w, r, &messageTokensForm, func(c *call) *Problem {
		t, p := readMessageTurn(c)
		if p != nil {
			return p
		}
		tokens, p := c.countTokens(t)
		if p != nil {
			return p
		}
		return c.writeJSON(func(dst []byte) ([]byte, error) {
			return anthropic.AppendCount(dst, &anthropicapi.MessageTokensCount{InputTokens: tokens})
		})
	})
}

// messageTurn is a request for a message.
type messageTurn struct {
	*settings
	in    *anthropicapi.CreateMessageRequest
	asked string
	conversion
	isStream bool
	// id is that of the request, by which clients report errors.
	id string
	// isReported is whether somebody wants to hear more of the conversion than losses.
	isReported bool
}

// readMessageTurn reads a request. What only the gateway heeds is taken out of it, so that no report has it.
func readMessageTurn(c *call) (*messageTurn, *Problem) {
	in, err := anthropic.DecodeRequest(c.body)
	if err != nil {
		return nil, unreadable(err)
	}
	c.body = nil // decoding keeps what it needs
	t := &messageTurn{
		settings: &c.settings, in: in, asked: in.Model, conversion: c.conversion(), isStream: optional.Value(in.Stream), id: c.id,
	}
	t.isReported = t.isListed || c.recorders.wantBodies
	in.Model, in.Stream = "", nil
	return t, nil
}

func (t *messageTurn) model() string { return modelForAnthropicsClient(t.asked) }

func (t *messageTurn) toGemini(to target) (*geminiapi.GenerateContentRequest, transform.Report, error) {
	opts := []request.Option{request.ForModel(to.model)}
	if to.isVertexAI {
		opts = append(opts, request.ForVertexAI())
	}
	out, report, err := request.ToGemini(t.in, opts...)
	if err != nil {
		return nil, report, unreadable(err)
	}
	return out, report, t.refuseLosses(report)
}
