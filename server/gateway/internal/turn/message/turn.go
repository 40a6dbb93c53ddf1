// Package message is the form of Anthropic's Messages.
package message

import (
	"github.com/gemwire/gemwire/gen/anthropicapi"
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/anthropic"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/messages"
	"github.com/gemwire/gemwire/pkg/transform/messages/request"
	"github.com/gemwire/gemwire/pkg/wiretype"
	"github.com/gemwire/gemwire/server/gateway/exchange"
	"github.com/gemwire/gemwire/server/gateway/internal/problem"
	"github.com/gemwire/gemwire/server/gateway/internal/signature"
	"github.com/gemwire/gemwire/server/gateway/internal/turn"
	"github.com/gemwire/gemwire/server/internal/tokenestimate"
)

// Turn is a request for a message. It is made by [Read].
type Turn struct {
	way   Way
	in    *anthropicapi.CreateMessageRequest
	asked string
	// answered is what the answer depends on of the request. It is held as long as a stream goes on.
	answered anthropicapi.CreateMessageRequest
	size     int // of the body
	turn.Conversion
	isStream bool
	// question is what the answer is found by again.
	question *signature.Question
	// requestID is by what clients report errors.
	requestID string
	// isReported is whether somebody wants to hear more of the conversion than losses.
	isReported bool
	// isCounted is whether only the tokens of the prompt are counted.
	isCounted bool
	// inputTokens is how many tokens the prompt has, about, where the server counts them at the end of a stream.
	inputTokens int
}

// Way is what a message depends on besides its request.
type Way struct {
	// SignsIDs is whether ids of calls carry thought signatures, beside the blocks before them.
	SignsIDs bool
	// Extends is whether texts carry theirs in an extension, and Memory keeps them for clients that
	// drop it.
	Extends bool
	Memory  *signature.Memory
	// CountsAtEnd is whether the server counts the tokens of a prompt at the end of a stream, so that they are guessed before.
	CountsAtEnd bool
}

// Read reads a request. What only the gateway heeds is taken out of it, so that no report has it.
func Read(r turn.Request, way Way) (*Turn, *problem.Problem) {
	in, err := anthropic.DecodeRequest(r.Body)
	if err != nil {
		return nil, problem.Unreadable(err)
	}
	t := &Turn{
		way: way, in: in, asked: in.Model, Conversion: r.Conversion, isStream: jsonx.Deref(in.Stream), requestID: r.ID, size: len(r.Body),
		isReported: r.IsListed || r.IsRecorded,
	}
	t.answered = *in
	t.answered.Messages, t.answered.System = nil, wiretype.StringOr[[]anthropicapi.ContentBlock]{} // which are large
	in.Model, in.Stream = "", nil
	t.question = question(way.Memory, in.Messages)
	recallTexts(way.Memory, in.Messages)
	return t, nil
}

// ForCount has only the tokens of the prompt counted.
func (t *Turn) ForCount() *Turn {
	t.isCounted = true
	return t
}

// Model implements [turn.Turn].
func (t *Turn) Model() string { return ModelOf(t.asked) }

// Streams implements [turn.Turn].
func (t *Turn) Streams() bool { return t.isStream }

// LetGo implements [turn.Turn].
func (t *Turn) LetGo() int64 {
	t.in = nil
	return turn.Needed(t.size, func() ([]byte, error) { return anthropic.EncodeRequest(&t.answered) })
}

// ToGemini implements [turn.Turn].
func (t *Turn) ToGemini(to turn.Target) (*geminiapi.GenerateContentRequest, report.Report, error) {
	opts := []request.Option{request.ForModel(to.Model), request.ForTime(to.When)}
	if to.IsVertexAI {
		opts = append(opts, request.ForVertexAI())
	}
	if t.isCounted {
		opts = append(opts, request.ForTokenCount())
	}
	out, report, err := request.ToGemini(t.in, opts...)
	if err != nil {
		return nil, report, problem.Unreadable(err)
	}
	if t.isStream && t.way.CountsAtEnd {
		t.inputTokens = tokenestimate.Of(out)
	}
	return out, report, t.RefuseLosses(report)
}

// Carrier returns how signatures travel: in the extension of a text, in ids where the client has not
// asked for thinking, else in thinking blocks before what they sign.
func (t *Turn) Carrier(_ exchange.Side, part *geminiapi.Part) exchange.Carrier {
	switch {
	case part.FunctionCall == nil && !jsonx.Deref(part.Thought) && part.Text != nil:
		if t.way.Extends {
			return exchange.CarrierExtension
		}
		return exchange.CarrierMemory
	case part.FunctionCall != nil && t.answered.Thinking == nil:
		return exchange.CarrierID
	default:
		return exchange.CarrierThought
	}
}

// options are those of the answer's conversion, whole and streamed. The name is the one that was asked for, to the letter:
// Claude Code drops the thoughts, and with them the signatures, of answers with another.
func (t *Turn) options() []messages.Option {
	opts := []messages.Option{messages.WithRequest(&t.answered), messages.WithModelName(t.asked)}
	if t.way.SignsIDs {
		opts = append(opts, messages.WithSignaturesInIDs())
	}
	return opts
}

// AppendWhole implements [turn.Turn].
func (t *Turn) AppendWhole(dst []byte, answer *geminiapi.GenerateContentResponse, told turn.Told) ([]byte, turn.Finished, error) {
	if p := problem.BrokenAnswer(answer); p != nil {
		return dst, turn.Finished{}, p
	}
	message, report, err := messages.FromGemini(answer, t.options()...)
	end, err := t.EndWhole(answer, report, err)
	if err != nil {
		return dst, end, err
	}
	t.keepTexts(message)
	if t.IsListed {
		listed, err := t.Listed(told.Report, report)
		if err != nil {
			return dst, end, err
		}
		message.Unknown = jsonx.MergeObjects(message.Unknown, jsonx.Object("extra_content", listed))
	}
	message.Usage.Unknown = turn.WithCost(message.Usage.Unknown, told.Cost)
	dst, err = anthropic.AppendResponse(dst, message)
	return dst, end, err
}
