package gemini

import (
	"context"
	"fmt"
	"io"
	"iter"
	"net/http"
	"slices"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/internal/streamhook"
	"github.com/gemwire/gemwire/pkg/gemini/internal/transport"
)

// Generator generates content. [Client] implements it. Other implementations replace a client in
// tests, or call several clients.
type Generator interface {
	GenerateContent(context.Context, *geminiapi.GenerateContentRequest,
		...CallOption) (*geminiapi.GenerateContentResponse, error)
	StreamGenerateContent(context.Context, *geminiapi.GenerateContentRequest,
		...CallOption) iter.Seq2[*geminiapi.GenerateContentResponse, error]
}

// GenerateContent requests a whole answer.
//
// The model is the member Model of the request, or else the model of [WithModel]. It is an id such
// as "gemini-3.6-flash", or a name that begins with models/, tunedModels/, publishers/ or
// projects/. The client puts it into the address and not into the body. A model of the other
// service is a *[ModelError]; a missing model is [ErrModelRequired].
//
// The server may send a long answer in several replies, which the client joins: see
// [WithContinuation].
//
// A refused prompt is an answer with a block reason; normalize.FromResponse makes an error of it.
func (c *Client) GenerateContent(ctx context.Context, req *geminiapi.GenerateContentRequest,
	opts ...CallOption) (*geminiapi.GenerateContentResponse, error) {
	s, err := c.with(opts)
	if err != nil {
		return nil, err
	}
	op, err := s.generation(req, "generateContent")
	if err != nil {
		return nil, err
	}
	if s.rounds <= 0 {
		return generate(ctx, s, op)
	}
	ctx, cancel := s.limit(ctx) // for all replies
	defer cancel()
	answer, err := generate(ctx, s, op)
	if err != nil {
		return nil, err
	}
	return s.complete(ctx, req, answer)
}

// StreamGenerateContent requests an answer as a stream and yields its chunks as they arrive. Each
// loop over the result sends the request. An error is the last pair, with a nil chunk. After the
// first chunk the errors are the errors of [StreamReader.Next], so a truncated stream never looks
// complete. Breaking out of the loop ends the call.
func (c *Client) StreamGenerateContent(ctx context.Context, req *geminiapi.GenerateContentRequest,
	opts ...CallOption) iter.Seq2[*geminiapi.GenerateContentResponse, error] {
	return func(yield func(*geminiapi.GenerateContentResponse, error) bool) {
		s, op, err := c.streaming(req, opts)
		if err != nil {
			yield(nil, err)
			return
		}
		ctx, cancel := s.limit(ctx)
		defer cancel()
		if s.rounds > 0 && s.maySendReplies(op) {
			newStreamContinuation(s, op, continuationToken(req), yield).run(ctx, op)
			return
		}
		stream(ctx, s, op, yield)
	}
}

// continuationToken returns the token of a request, "" if it has none.
func continuationToken(req *geminiapi.GenerateContentRequest) string {
	if req == nil {
		return ""
	}
	return jsonx.Deref(req.ContinuationToken)
}

// streaming returns the settings and the operation of a StreamGenerateContent call. It is a
// separate function because it needs stack that a stream does not need.
//
//go:noinline
func (c *Client) streaming(req *geminiapi.GenerateContentRequest, opts []CallOption) (*settings,
	*operation, error) {
	s, err := c.with(opts)
	if err != nil {
		return nil, nil, err
	}
	op, err := s.generation(req, "streamGenerateContent")
	return s, op, err
}

// generate sends a request for a whole answer.
func generate(ctx context.Context, s *settings, op *operation) (*geminiapi.GenerateContentResponse,
	error) {
	return callBody(ctx, s, op,
		func(body transport.Body) (*geminiapi.GenerateContentResponse, error) {
			answer, err := decodeAnswer(body)
			op.answer = answer
			return answer, err
		})
}

// stream sends a request for a stream and yields its chunks.
func stream(ctx context.Context, s *settings, op *operation, yield chunkYield) {
	op.isStream = true
	ctx, hooks := streamhook.Take(ctx)
	opened := &openStream{settings: s, hooks: hooks}
	x, err := s.send(ctx, op, opened.begin)
	if err != nil {
		yield(nil, err)
		return
	}
	// the request may be large, and the answer may take long
	x.request.Body, x.op.body, x.op.config = nil, nil, nil
	defer opened.reply.Close()
	isLeft := true // also after a panic in the loop
	defer func() { x.ended(err, isLeft) }()
	err, isLeft = opened.deliver(x, yield)
}

// openStream is a stream after its first chunk.
type openStream struct {
	settings *settings
	hooks    streamhook.Hooks
	reply    *transport.Reply
	reader   *StreamReader
	first    *geminiapi.GenerateContentResponse
	err      error // io.EOF for a stream without a chunk
}

// begin reads the first chunk. After its error the client may request the stream again.
func (o *openStream) begin(reply *transport.Reply) error {
	o.reply = reply
	body := o.settings.raw.record(reply)
	if o.hooks.BeforeRead != nil {
		body = &announced{body, o.hooks.BeforeRead}
	}
	o.reader = NewStreamReader(body, o.settings.stream...)
	o.first, o.err = o.reader.Next()
	if o.err != nil && o.err != io.EOF {
		return ofReply(reply.Status, inPlaceOfStream(reply, o.err))
	}
	reply.Begin()
	return nil
}

// inPlaceOfStream returns the error of a reply that is not a stream. If the reply is a text, the
// error includes what the reply's headers say.
func inPlaceOfStream(reply *transport.Reply, err error) error {
	if text, ok := err.(*Error); ok && !text.FromAPI() {
		return DecodeError(reply.Status, reply.Header, text.RawBody())
	}
	return err
}

// deliver yields the chunks and the error that ends them, which it returns. It reports whether the
// caller left the loop before the end.
func (o *openStream) deliver(x *exchange, yield chunkYield) (err error, isLeft bool) {
	chunk, err := o.first, o.err
	for err == nil {
		x.observed.chunk(chunk)
		if o.hooks.Chunk != nil {
			o.hooks.Chunk(o.reader.Bytes())
		}
		if !yield(chunk, nil) {
			return nil, true
		}
		chunk, err = o.reader.Next()
	}
	if err == io.EOF {
		return nil, false
	}
	err = x.failed(err)
	yield(nil, err)
	return err, false
}

// generation returns the operation for generating content, with its body.
func (s *settings) generation(req *geminiapi.GenerateContentRequest, method string) (*operation,
	error) {
	if req == nil {
		req = &geminiapi.GenerateContentRequest{}
	}
	op, err := s.unencoded(req, method)
	if err != nil {
		return nil, err
	}
	op.config = req.GenerationConfig
	own := *req
	own.Model = nil
	if own.Contents == nil {
		own.Contents = []geminiapi.Content{}
	}
	s.setStore(&own)
	s.setTier(op, &own)
	op.body, err = EncodeRequest(&own)
	return op, err
}

// unencoded returns the operation for generating content, without its body, and checks it.
func (s *settings) unencoded(req *geminiapi.GenerateContentRequest, method string) (*operation,
	error) {
	op, err := s.modelOperation(method, jsonx.Deref(req.Model))
	if err != nil {
		return nil, err
	}
	if s.validate != nil {
		if err := s.validate(req, op.model, s.endpoint.IsVertexAI(), s.modelTime()); err != nil {
			return nil, err
		}
	}
	return op, nil
}

// modelOperation returns the operation for a method of a model. The default is the client's model.
func (s *settings) modelOperation(method, model string) (*operation, error) {
	if model == "" {
		model = s.model
	}
	resource, err := s.endpoint.Model(model)
	if err != nil {
		return nil, s.wrongModel(model, err)
	}
	return &operation{name: method, method: http.MethodPost, resource: resource, verb: method,
		model: model}, nil
}

// decodeAnswer decodes an answer to a request to generate content.
func decodeAnswer(body transport.Body) (*geminiapi.GenerateContentResponse, error) {
	if body.Size() >= largeSize {
		if response, _ := decodeLarge(body); response != nil {
			return response, nil
		}
	}
	data := body.Bytes()
	response, err := DecodeResponse(data)
	if err != nil {
		return nil, err
	}
	if IsError(response) {
		return nil, DecodeError(0, nil, data)
	}
	return response, nil
}

// Storage sets whether Google stores requests and answers in the logs of AI Studio.
type Storage string

// The values of [WithStorage].
const (
	// StorageOff sends store: false. It is the default.
	StorageOff Storage = "off"
	// StorageOn sends store: true.
	StorageOn Storage = "on"
	// StorageByProject sends no member store, so that the setting of the Google project applies.
	// Projects on the paid tier that were created since 2026-10-26 store by default.
	StorageByProject Storage = "project"
)

// Storages returns the values that [WithStorage] takes.
func Storages() []Storage { return []Storage{StorageOff, StorageOn, StorageByProject} }

// WithStorage sets whether Google stores requests to generate content and their answers. The member
// Store of a request overrides it. The default is [StorageOff], so that Google stores nothing
// unless a program asks for it. The option applies to GenerateContent, StreamGenerateContent and
// the requests in the body of [Batches.Create]. The lines of an uploaded batch file are not
// changed.
//
// Vertex AI has no such member, so the client does not send it there. Requests that count tokens or
// embed content are never stored.
func WithStorage(storage Storage) Option {
	return anyOption(func(s *settings) {
		if storage != "" && !slices.Contains(Storages(), storage) {
			s.fail(fmt.Errorf("WithStorage: %q is not a storage; use %q, %q or %q",
				storage, StorageOff, StorageOn, StorageByProject))
			return
		}
		s.storage = storage
	})
}

// setStore sets the member store of a request that does not have one.
func (s *settings) setStore(request *geminiapi.GenerateContentRequest) {
	if request.Store != nil || s.storage == StorageByProject || s.endpoint.IsVertexAI() {
		return
	}
	request.Store = new(s.storage == StorageOn)
}

// withStore returns copies of the requests of a batch, each with the member store.
func (s *settings) withStore(requests []geminiapi.InlinedRequest) []geminiapi.InlinedRequest {
	out := slices.Clone(requests)
	for i := range out {
		if out[i].Request != nil {
			own := *out[i].Request
			s.setStore(&own)
			out[i].Request = &own
		}
	}
	return out
}
