package gateway

import (
	"context"
	"net/http"
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/server/gateway/internal/native"
	"github.com/gemwire/gemwire/server/gateway/internal/problem"
	"github.com/gemwire/gemwire/server/gateway/internal/turn/response"
	"github.com/gemwire/gemwire/server/gateway/internal/upstream"
	"github.com/go-json-experiment/json/jsontext"
)

// Converted has the requests for Gemini that a [Request] becomes, see [Handler.Convert].
type Converted struct {
	// RequestID is the id of the request in logs.
	RequestID string
	// Model is the model that the requests are for.
	Model string
	// Embeds reports that the requests are bodies of embedContent. Otherwise they are bodies of
	// generateContent.
	Embeds bool
	// Requests are the bodies. The list is empty if the request needs another method, such as
	// countTokens, a model with a resource name of its own, such as tunedModels/mine, or a summary
	// of its conversation.
	Requests []jsontext.Value
}

// Reply is Gemini's reply to one of the requests in [Converted].
type Reply struct {
	// Status is the HTTP status of an error. It is 0 for an answer.
	Status int
	// Body is the answer, or the error body.
	Body []byte
}

// conversion is the state of a call that converts and calls no model.
type conversion struct {
	converted Converted
	// replies are nil while the request is converted.
	replies []Reply
}

// Convert converts a request for the first model of its route, for example for a batch. It calls no
// model. No limits of clients apply, no key of the caller is required, and observers do not see the
// request. The result is never nil. With an error it has the id only. The error is an *[Error].
func (h *Handler) Convert(ctx context.Context, in *Request) (*Converted, error) {
	conv := &conversion{}
	answer, err := h.answer(ctx, in, conv)
	conv.converted.RequestID = answer.RequestID
	if err != nil {
		return &Converted{RequestID: answer.RequestID}, err
	}
	return &conv.converted, nil
}

// ConvertReplies converts Gemini's replies to the requests of [Handler.Convert] to the answer to
// the original request. The replies have the order of the requests. They may end with the first
// error. Otherwise ConvertReplies does the same as [Handler.Answer], without a call.
func (h *Handler) ConvertReplies(ctx context.Context, in *Request, replies []Reply) (*Answer,
	error) {
	return h.answer(ctx, in, &conversion{replies: append([]Reply{}, replies...)})
}

// convertsOnly reports whether the call converts and calls no model.
func (c *call) convertsOnly() bool { return c.conversion != nil }

// hasReplies reports whether the call converts replies.
func (v *conversion) hasReplies() bool { return v.replies != nil }

// set sets the requests for a model, unless the model is not one of the collection "models".
func (v *conversion) set(model string, embeds bool, requests ...jsontext.Value) {
	v.converted.Model, v.converted.Embeds = strings.TrimPrefix(model, "models/"), embeds
	if !strings.Contains(v.converted.Model, "/") {
		v.converted.Requests = requests
	}
}

// check returns the problem of a number of replies other than expected. No replies are never right.
func (v *conversion) check(expected int) *problem.Problem {
	if !v.hasReplies() || expected > 0 && len(v.replies) == expected {
		return nil
	}
	return problem.Invalid("", "", "the request has "+strconv.Itoa(len(v.replies))+
		" replies; expected "+strconv.Itoa(expected))
}

// err returns Gemini's error, or nil for an answer.
func (r *Reply) err() error {
	if r.Status < http.StatusBadRequest {
		return nil
	}
	return gemini.DecodeError(r.Status, nil, r.Body)
}

// decoded returns Gemini's answer.
func (r *Reply) decoded() (*geminiapi.GenerateContentResponse, error) {
	if err := r.err(); err != nil {
		return nil, err
	}
	answer, err := gemini.DecodeResponse(r.Body)
	if err == nil && gemini.IsError(answer) {
		err = gemini.DecodeError(0, nil, r.Body)
	}
	return answer, err
}

// attempt returns an attempt that calls nothing.
func (c *call) attempt(model string) *upstream.Try {
	return &upstream.Try{Account: c.pool.First(), Model: model}
}

// convertOnly converts a turn, or Gemini's reply to it.
func (a *answering) convertOnly(model string) *problem.Problem {
	if x, ok := a.turn.Extra.(*response.Turn); ok && x.AsksForShort() {
		a.conversion.set(model, false) // the answer of the model is not the answer to the client
		return nil
	}
	request, err := a.convert(a.attempt(model))
	if err != nil {
		return a.failed(err)
	}
	if !a.conversion.hasReplies() {
		body, err := a.encode(request)
		if err != nil {
			return a.failed(err)
		}
		a.conversion.set(model, false, body)
		return nil
	}
	if p := a.conversion.check(1); p != nil {
		return p
	}
	answer, err := a.conversion.replies[0].decoded()
	if err != nil {
		return a.failed(err)
	}
	return a.writeAnswer(answer)
}

// encode returns the body of a request to generate content. Like the body of a client's request it
// sets whether Google stores the request.
func (a *answering) encode(request *geminiapi.GenerateContentRequest) (jsontext.Value, error) {
	own := *request
	own.Model = nil
	if own.Contents == nil {
		own.Contents = []geminiapi.Content{}
	}
	if store, isSet := a.stores(); isSet && own.Store == nil {
		own.Store = &store
	}
	return gemini.EncodeRequest(&own)
}

// convertOnly converts the texts, or Gemini's replies to them.
func (e *embeddings) convertOnly(model string) *problem.Problem {
	if !e.conversion.hasReplies() {
		if e.texts.OnVertexAI { // which embeds texts by other methods
			e.conversion.set(model, true)
			return nil
		}
		requests, err := e.texts.Requests(model)
		if err != nil {
			return e.failed(err)
		}
		e.conversion.set(model, true, requests...)
		return nil
	}
	e.by.begin(e.attempt(model))
	for i := range e.conversion.replies {
		reply := &e.conversion.replies[i]
		err := reply.err()
		if err == nil {
			err = e.texts.Add(reply.Body)
		}
		if err != nil {
			return e.failed(err)
		}
	}
	if p := e.conversion.check(len(e.texts.Texts)); p != nil {
		return p
	}
	return e.write(model)
}

// Methods that embed content.
const (
	verbEmbed    = "embedContent"
	verbEmbedAll = "batchEmbedContents"
)

// convertOnly passes on the requests of a model's method, or Gemini's replies to them.
func (n *nativePassage) convertOnly(model string) *problem.Problem {
	requests := []jsontext.Value{n.sent}
	switch n.op.Verb {
	case native.VerbGenerate, verbEmbed:
	case verbEmbedAll:
		requests = jsonx.Elements(jsonx.Member(n.sent, "requests"))
	default:
		requests = nil
	}
	if !n.conversion.hasReplies() {
		n.conversion.set(model, n.op.Verb != native.VerbGenerate, requests...)
		return nil
	}
	n.by.begin(n.attempt(model))
	var bodies []jsontext.Value
	for i := range n.conversion.replies {
		reply := &n.conversion.replies[i]
		if err := reply.err(); err != nil {
			return n.failed(err)
		}
		bodies = append(bodies, reply.Body)
	}
	if p := n.conversion.check(len(requests)); p != nil {
		return p
	}
	switch n.op.Verb {
	case native.VerbGenerate:
		if answer, err := gemini.DecodeResponse(bodies[0]); err == nil {
			n.look("", answer)
		}
		n.finish()
		n.writeWhole(http.StatusOK, bodies[0])
	case verbEmbed:
		n.writeWhole(http.StatusOK, bodies[0])
	default:
		n.writeWhole(http.StatusOK, vectorsOf(bodies))
	}
	return nil
}

// vectorsOf combines the answers to requests for one vector each to the answer to a request for
// several. It counts tokens if all answers do.
func vectorsOf(answers []jsontext.Value) []byte {
	out := []byte(`{"embeddings":[`)
	tokens, isCounted := 0, true
	for i, answer := range answers {
		if i > 0 {
			out = append(out, ',')
		}
		vector := jsonx.Member(answer, "embedding")
		if vector == nil {
			vector = jsontext.Value("{}")
		}
		out = append(out, vector...)
		told, err := gemini.Decode[geminiapi.EmbedContentResponse](answer)
		if err != nil || told.UsageMetadata == nil || told.UsageMetadata.PromptTokenCount == nil {
			isCounted = false
			continue
		}
		tokens += *told.UsageMetadata.PromptTokenCount
	}
	out = append(out, ']')
	if isCounted {
		out = append(append(append(out, `,"usageMetadata":{"promptTokenCount":`...),
			strconv.Itoa(tokens)...), '}')
	}
	return append(out, '}')
}
