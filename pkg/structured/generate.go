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

// Generator asks a model for a whole answer. A *gemini.Client is one, and O its options, which the
// compiler finds by itself. They are named by a parameter because this package does not import the
// client: a program that only parses has no HTTP in it.
type Generator[O any] interface {
	GenerateContent(context.Context, *geminiapi.GenerateContentRequest,
		...O) (*geminiapi.GenerateContentResponse, error)
}

// Streamer asks a model for an answer in pieces, like [Generator].
type Streamer[O any] interface {
	StreamGenerateContent(context.Context, *geminiapi.GenerateContentRequest,
		...O) iter.Seq2[*geminiapi.GenerateContentResponse, error]
}

// Answer is a value that a model has given.
type Answer[T any] struct {
	// Value is the answer.
	Value T
	// Complete reports that the value is whole and holds its rules. It is false for the growing
	// values of [GenerateStream].
	Complete bool
	// Try is how often the model was asked, at least once.
	Try int
	// Text is the text that Value was read from, so far.
	Text string
	// Response is the model's answer, with its usage, of a stream what its chunks make together;
	// nil until it is complete.
	Response *geminiapi.GenerateContentResponse
	// Usage is what all tries have cost together; nil when none said.
	Usage *geminiapi.UsageMetadata
}

// Generate asks a model for a value of type T: it sends the request with the schema of T
// ([SchemaOf]), reads the answer by [Parse], and where that fails asks again, with the answer and
// what is wrong with it, as often as [WithCorrections] allows.
//
//	review, err := structured.Generate[Review](ctx, client, request)
//	fmt.Println(review.Value.Verdict)
//
// Options for its calls are those of the client: gemini's Client.With gives one with others.
//
// The request says the schema in generationConfig.responseJsonSchema, unless it has a schema of its
// own, which is then kept. It is not changed. Of several candidates the one with the lowest index
// is read, without its thoughts.
//
// The error is [ErrNoModel], or that of a type that has no schema, before anything is sent; what
// the client returned, as it is; a *[NoTextError] for an answer that asking again does not mend,
// such as a refused prompt, or the call of a function, which package toolloop would run; or a
// *[GenerateError], which wraps the error of Parse about the last answer and has what all cost.
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

// GenerateStream does what [Generate] does, and yields growing values while the answer comes in, as
// [ParseStream] does. When an answer turns out to be wrong, the values of the next one begin anew;
// their Try is higher. The last pair has the complete answer, or an error and what there was before
// it, and is the only one to have either.
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

// withSchema returns a configuration that asks for JSON of a schema. One that has a schema is kept.
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

// read returns the value in an answer, an error that asking again does not mend, or neither when
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

// firstContent returns the content of the first candidate, an empty one if it has none.
func firstContent(response *geminiapi.GenerateContentResponse) *geminiapi.Content {
	first := merge.FirstCandidate(response)
	if first == nil || first.Content == nil {
		return &geminiapi.Content{}
	}
	return first.Content
}

// textOf returns the text of an answer without the thoughts.
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

// endsNormally reports whether an answer came to its end, or to that of its length, with or without
// a text.
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

// growing is an answer that comes in chunks.
type growing[T any] struct {
	*generation[T]
	partial partial[T]
	begun   bool // a candidate has come
	index   int  // of that candidate: the lowest so far
	text    strings.Builder
	chunks  []*geminiapi.GenerateContentResponse
}

// add reports whether a chunk made the value grow. A chunk may be about any of the candidates.
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

// begin reads a candidate from now on. What came before was of another one.
func (g *growing[T]) begin(index int) {
	g.begun, g.index = true, index
	g.partial = partial[T]{options: g.options, read: g.partial.read}
	g.text.Reset()
}

// answer is what has come so far.
func (g *growing[T]) answer() *Answer[T] {
	return &Answer[T]{Value: g.partial.value, Try: g.tries + 1, Text: g.text.String(),
		Usage: g.usage}
}

// response is what the chunks make together. An error in their place never comes here: the client
// returns it.
func (g *growing[T]) response() *geminiapi.GenerateContentResponse {
	return merge.Chunks(func(*geminiapi.GenerateContentResponse) bool { return false },
		g.chunks...).Response
}
