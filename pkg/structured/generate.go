package structured

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/internal/merge"
	"github.com/gemwire/gemwire/internal/usagetotal"
	"github.com/go-json-experiment/json/jsontext"
)

// Generator asks a model for a whole answer. A *gemini.Client implements it with its own options as
// O, which the compiler infers. The options are a type parameter because this package does not
// import the client: a program that only parses contains no HTTP code.
type Generator[O any] interface {
	GenerateContent(context.Context, *geminiapi.GenerateContentRequest,
		...O) (*geminiapi.GenerateContentResponse, error)
}

// Streamer asks a model for an answer in pieces, like [Generator].
type Streamer[O any] interface {
	StreamGenerateContent(context.Context, *geminiapi.GenerateContentRequest,
		...O) iter.Seq2[*geminiapi.GenerateContentResponse, error]
}

// Answer is a value that a model returned.
type Answer[T any] struct {
	// Value is the answer.
	Value T
	// Complete reports that the value is whole and passes its rules. It is false for the partial
	// values of [GenerateStream].
	Complete bool
	// Try is the number of requests so far, at least one.
	Try int
	// Text is the text so far that Value was read from.
	Text string
	// Response is the model's answer with its usage. For a stream, it joins the chunks, and is nil
	// until the answer is complete.
	Response *geminiapi.GenerateContentResponse
	// Usage is the sum of all tries, nil if none reported its usage.
	Usage *geminiapi.UsageMetadata
}

// Generate asks a model for a value of type T. It sends the request with the schema of T
// ([SchemaOf]) and reads the answer with [Parse]. If the answer is wrong, it asks again, with the
// answer and a description of its faults, up to the limit of [WithCorrections].
//
//	review, err := structured.Generate[Review](ctx, client, request)
//	fmt.Println(review.Value.Verdict)
//
// Set options for the calls on the client: gemini's Client.With returns a client with other
// options.
//
// The schema is sent as generationConfig.responseJsonSchema. A schema that the request already has
// is kept. The request is not changed. If there are several candidates, Generate reads the one with
// the lowest index, without its thoughts.
//
// The error is [ErrNoModel], or the error of a type without a schema, both before anything is sent.
// It may be the client's error, unchanged. It is a *[NoTextError] for an answer that a retry cannot
// improve: a refused prompt, or a function call, which package toolloop would run. Otherwise it is
// a *[GenerateError], which wraps the error of Parse about the last answer and has the usage of all
// tries.
func Generate[T, O any](
	ctx context.Context, model Generator[O], request *geminiapi.GenerateContentRequest,
	opts ...Option,
) (*Answer[T], error) {
	if model == nil {
		return nil, ErrNoModel
	}
	g, err := newGeneration[T](request, opts)
	if err != nil {
		return nil, err
	}
	for {
		response, err := model.GenerateContent(ctx, &g.request)
		if err != nil {
			return nil, err
		}
		answer, err := g.read(response, opts)
		if answer != nil || err != nil {
			return answer, err
		}
	}
}

// GenerateStream does what [Generate] does, and yields partial values while the answer arrives, as
// [ParseStream] does. If an answer is wrong, the values of the next answer start again, with a
// higher Try. The last pair has the complete answer, or an error with the last partial answer. No
// other pair has a complete answer or an error.
func GenerateStream[T, O any](
	ctx context.Context, model Streamer[O], request *geminiapi.GenerateContentRequest,
	opts ...Option,
) iter.Seq2[*Answer[T], error] {
	return func(yield func(*Answer[T], error) bool) {
		if model == nil {
			yield(nil, ErrNoModel)
			return
		}
		g, err := newGeneration[T](request, opts)
		if err != nil {
			yield(nil, err)
			return
		}
		for {
			growing := growing[T]{generation: g, partial: partial[T]{options: g.options}}
			for chunk, err := range model.StreamGenerateContent(ctx, &g.request) {
				if err != nil {
					yield(growing.answer(), err)
					return
				}
				if growing.add(chunk) && !yield(growing.answer(), nil) {
					return
				}
			}
			answer, err := g.read(growing.response(), opts)
			if answer != nil || err != nil {
				yield(answer, err)
				return
			}
		}
	}
}

// generation is the state of [Generate].
type generation[T any] struct {
	request geminiapi.GenerateContentRequest // the next one
	options *options
	tries   int
	usage   *geminiapi.UsageMetadata
}

func newGeneration[T any](request *geminiapi.GenerateContentRequest, opts []Option) (*generation[T],
	error) {
	g := &generation[T]{request: jsonx.Deref(request), options: newOptions(opts)}
	schema, err := SchemaOf[T]()
	if err != nil {
		return nil, fmt.Errorf("structured: schema: %w", err)
	}
	g.request.Contents = slices.Clone(g.request.Contents)
	g.request.GenerationConfig = withSchema(g.request.GenerationConfig, schema)
	return g, nil
}

// withSchema returns a configuration that asks for JSON of a schema. An existing schema is kept.
func withSchema(config *geminiapi.GenerationConfig,
	schema jsontext.Value) *geminiapi.GenerationConfig {
	out := jsonx.Deref(config)
	if out.ResponseSchema != nil || out.ResponseJSONSchema != nil ||
		out.ResponseJSONSchemaTrial != nil || out.ResponseFormat != nil {
		return config
	}
	out.ResponseMIMEType, out.ResponseJSONSchema = new("application/json"), schema
	return &out
}

// read returns the value of an answer, or an error that a retry cannot fix. If it returns neither,
// the next request is to be sent.
func (g *generation[T]) read(response *geminiapi.GenerateContentResponse,
	opts []Option) (*Answer[T], error) {
	g.tries++
	if response == nil { // which no model should return, but anyone can write one
		response = new(geminiapi.GenerateContentResponse)
	}
	g.usage = usagetotal.Add(g.usage, response.UsageMetadata)
	content := firstContent(response)
	text := textOf(content)
	value, err := Parse[T](text, opts...)
	if g.options.onTry != nil {
		g.options.onTry(Try{Number: g.tries, Text: text, Err: err})
	}
	switch {
	case err == nil:
		return &Answer[T]{Value: value, Complete: true, Try: g.tries, Text: text,
			Response: response, Usage: g.usage}, nil
	case text == "" && (!endsNormally(response) || hasCall(content)):
		return nil, &NoTextError{Response: response, Usage: g.usage}
	case g.tries > g.options.corrections:
		return nil, &GenerateError{Tries: g.tries, Response: response, Usage: g.usage, Err: err}
	}
	if turn := merge.Turn(response); turn != nil {
		g.request.Contents = append(g.request.Contents, *turn, correction(err))
	}
	return nil, nil
}

// firstContent returns the content of the first candidate, or empty content if it has none.
func firstContent(response *geminiapi.GenerateContentResponse) *geminiapi.Content {
	first := merge.FirstCandidate(response)
	if first == nil || first.Content == nil {
		return &geminiapi.Content{}
	}
	return first.Content
}

// textOf returns the text of an answer without its thoughts.
func textOf(content *geminiapi.Content) string {
	var text strings.Builder
	for i := range content.Parts {
		if part := &content.Parts[i]; part.Text != nil && !jsonx.Deref(part.Thought) {
			text.WriteString(*part.Text)
		}
	}
	return text.String()
}

// hasCall reports whether an answer calls a function.
func hasCall(content *geminiapi.Content) bool {
	return slices.ContainsFunc(content.Parts,
		func(p geminiapi.Part) bool { return p.FunctionCall != nil })
}

// endsNormally reports whether an answer ended normally or at its maximum length, with or without a
// text.
func endsNormally(response *geminiapi.GenerateContentResponse) bool {
	first := merge.FirstCandidate(response)
	if first == nil {
		return response.PromptFeedback == nil
	}
	switch jsonx.Deref(first.FinishReason) {
	case geminiapi.FinishReasonStop, geminiapi.FinishReasonMaxTokens,
		geminiapi.FinishReasonUnspecified, "":
		return true
	default:
		return false
	}
}

// growing is an answer that arrives in chunks.
type growing[T any] struct {
	*generation[T]
	partial partial[T]
	begun   bool // a candidate has come
	index   int  // of that candidate: the lowest so far
	text    strings.Builder
	chunks  []*geminiapi.GenerateContentResponse
}

// add reports whether a chunk extended the value. A chunk may belong to any candidate.
func (g *growing[T]) add(chunk *geminiapi.GenerateContentResponse) bool {
	if chunk == nil {
		return false
	}
	g.chunks = append(g.chunks, chunk)
	hasGrown := false
	for i, index := range merge.CandidateIndexes(chunk.Candidates) {
		if !g.begun || index < g.index {
			g.begin(index)
			hasGrown = false
		}
		if content := chunk.Candidates[i].Content; content != nil && index == g.index {
			delta := textOf(content)
			g.text.WriteString(delta)
			hasGrown = hasGrown || delta != ""
		}
	}
	return hasGrown && g.partial.grow(g.text.String())
}

// begin starts to read a candidate, and drops what another candidate sent before.
func (g *growing[T]) begin(index int) {
	g.begun, g.index = true, index
	g.partial = partial[T]{options: g.options, read: g.partial.read}
	g.text.Reset()
}

// answer is the answer so far.
func (g *growing[T]) answer() *Answer[T] {
	return &Answer[T]{Value: g.partial.value, Try: g.tries + 1, Text: g.text.String(),
		Usage: g.usage}
}

// response joins the chunks. The client returns an error that replaces them, so none arrives here.
func (g *growing[T]) response() *geminiapi.GenerateContentResponse {
	return merge.Chunks(func(*geminiapi.GenerateContentResponse) bool { return false },
		g.chunks...).Response
}
