package gateway

import (
	"net/http"

	"github.com/gemwire/gemwire/gen/anthropicapi"
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/optional"
	"github.com/gemwire/gemwire/internal/rawobject"
	"github.com/gemwire/gemwire/internal/tokenestimate"
	"github.com/gemwire/gemwire/pkg/anthropic"
	"github.com/gemwire/gemwire/pkg/gateway/exchange"
	"github.com/gemwire/gemwire/pkg/gateway/internal/problem"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/gemwire/gemwire/pkg/transform/messages"
	"github.com/gemwire/gemwire/pkg/transform/messages/request"
	"github.com/gemwire/gemwire/pkg/wiretype"
)

// messagesForm is the API of Claude Code and of Anthropic's packages.
var messagesForm = anthropicOperation("messages")

// CreateMessage answers a conversation. Which version and which betas a client asks for changes nothing: what neither knows
// of the other is in the report.
func (s anthropicServer) CreateMessage(w http.ResponseWriter, r *http.Request, _ anthropicapi.CreateMessageParams) {
	s.serve(w, r, &messagesForm, func(c *call) *problem.Problem {
		t, p := readMessageTurn(c)
		if p != nil {
			return p
		}
		return c.generate(t)
	})
}

// messageTurn is a request for a message.
type messageTurn struct {
	*settings
	in    *anthropicapi.CreateMessageRequest
	asked string
	// answered is what the answer depends on of the request. It is held as long as a stream goes on.
	answered anthropicapi.CreateMessageRequest
	conversion
	isStream bool
	// requestID is by what clients report errors.
	requestID string
	// isReported is whether somebody wants to hear more of the conversion than losses.
	isReported bool
	// isCounted is whether only the tokens of the prompt are counted.
	isCounted bool
	// inputTokens is how many tokens the prompt has, about, where the server counts them at the end of a stream.
	inputTokens int
}

// readMessageTurn reads a request. What only the gateway heeds is taken out of it, so that no report has it.
func readMessageTurn(c *call) (*messageTurn, *problem.Problem) {
	if c.request.Header.Get("Anthropic-Version") == "2023-01-01" {
		return nil, problem.Invalid("unsupported_version", "", "anthropic-version: the events of 2023-01-01 have another form; use 2023-06-01 or later")
	}
	in, err := anthropic.DecodeRequest(c.body)
	if err != nil {
		return nil, problem.Unreadable(err)
	}
	c.body = nil // decoding keeps what it needs
	t := &messageTurn{
		settings: &c.settings, in: in, asked: in.Model, conversion: c.wanted, isStream: optional.Value(in.Stream), requestID: c.id,
	}
	t.isReported = t.isListed || c.recorders.WantsBodies()
	t.answered = *in
	t.answered.Messages, t.answered.System = nil, wiretype.StringOr[[]anthropicapi.ContentBlock]{} // which are large
	in.Model, in.Stream = "", nil
	return t, nil
}

func (t *messageTurn) model() string { return modelForAnthropicsClient(t.asked) }

func (t *messageTurn) streams() bool { return t.isStream }

func (t *messageTurn) letGo() { t.in = nil }

func (t *messageTurn) toGemini(to target) (*geminiapi.GenerateContentRequest, transform.Report, error) {
	opts := []request.Option{request.ForModel(to.model)}
	if to.isVertexAI {
		opts = append(opts, request.ForVertexAI())
	}
	if t.isCounted {
		opts = append(opts, request.ForTokenCount())
	}
	out, report, err := request.ToGemini(t.in, opts...)
	if err != nil {
		return nil, report, problem.Unreadable(err)
	}
	if t.isStream && t.upstream.Service == OpenAI {
		t.inputTokens = tokenestimate.Of(out)
	}
	return out, report, t.refuseLosses(report)
}

// carrier tells that signatures travel in thinking blocks before what they sign.
func (t *messageTurn) carrier(exchange.Side, *geminiapi.Part) exchange.Carrier {
	return exchange.CarrierThought
}

// options are those of the answer's conversion, whole and streamed. The name is the one that was asked for, to the letter:
// Claude Code drops the thoughts, and with them the signatures, of answers with another.
func (t *messageTurn) options() []messages.Option {
	opts := []messages.Option{messages.WithRequest(&t.answered), messages.WithModelName(t.asked)}
	if t.signatures.mode != SignaturesInExtension {
		opts = append(opts, messages.WithSignaturesInIDs())
	}
	return opts
}

func (t *messageTurn) appendWhole(dst []byte, answer *geminiapi.GenerateContentResponse, told told) ([]byte, finished, error) {
	if p := problem.BrokenAnswer(answer); p != nil {
		return dst, finished{}, p
	}
	message, report, err := messages.FromGemini(answer, t.options()...)
	end := finished{report: report}
	noteReason(&end.reason, answer)
	if err != nil {
		return dst, end, err
	}
	if err := t.refuseLosses(report); err != nil {
		return dst, end, err
	}
	if t.isListed {
		listed, err := t.listed(told.report, report)
		if err != nil {
			return dst, end, err
		}
		message.Unknown = rawobject.Merge(message.Unknown, rawobject.Of("extra_content", listed))
	}
	message.Usage.Unknown = withCost(message.Usage.Unknown, told.cost)
	dst, err = anthropic.AppendResponse(dst, message)
	return dst, end, err
}
