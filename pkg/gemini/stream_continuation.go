package gemini

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/gemini/models"
)

// maxReconnects is how often in a row a stream is resumed without a new token or content. Google's
// SDK for Go uses the same limit (google.golang.org/genai v1.77.0, continuation.go).
const maxReconnects = 3

// largestHeldRequest is the maximum size of a request that is kept while a stream of any model
// runs, in case the client must request more.
const largestHeldRequest = 16 << 10

// maySendReplies reports whether the answer to an operation may come in several replies. For models
// that are known to send one reply, larger requests are released while the stream runs.
func (s *settings) maySendReplies(op *operation) bool {
	if len(op.body) <= largestHeldRequest || s.isContinuing {
		return true
	}
	service := models.GeminiAPI
	if s.endpoint.IsVertexAI() {
		service = models.VertexAI
	}
	return models.At(op.model, service, s.modelTime()).Limits.ContinuedOutput > 0
}

// chunkYield receives a chunk or an error, and reports whether to continue.
type chunkYield = func(*geminiapi.GenerateContentResponse, error) bool

// streamContinuation is an answer that comes in one stream or several, each of which is a part:
//
//	part ends with             next
//	CONTINUATION, a new token  another part from the token
//	another finish reason      the end
//	feedback on the prompt     the end
//	a break, a new token       another part from the token
//	a break, nothing new       the same part again, at most maxReconnects times
//	anything else              the end, with the error
type streamContinuation struct {
	settings *settings
	// the JSON of the first request, which is much smaller than the decoded request
	request []byte
	model   string
	yield   chunkYield

	part       streamPart               // the current part
	usage      *geminiapi.UsageMetadata // of the completed parts
	id         *string                  // the id of the answer, from its first part
	token      string                   // the token that the part begins at, or ""
	replay     replay                   // the delivered text that the part may repeat
	broken     error                    // the error that broke the stream since its last progress
	parts      int                      // the number of requested parts
	reconnects int                      // without progress
}

// streamPart is one stream of an answer.
type streamPart struct {
	isLeft      bool // the caller left the loop
	hasChunk    bool
	hasContent  bool
	hasFeedback bool
	isContinued bool // it ended with CONTINUATION
	isFinished  bool // it ended with another finish reason
	token       string
	since       replay // what was delivered after the token
	usage       *geminiapi.UsageMetadata
	err         error
}

// newStreamContinuation returns the answer to a request, from a token or, for "", from the
// beginning. It is not inlined, so that the answer is not on the stack: the stack of an open stream
// should not have to grow.
//
//go:noinline
func newStreamContinuation(s *settings, op *operation, token string,
	yield chunkYield) *streamContinuation {
	return &streamContinuation{settings: s, request: op.body, model: op.model, token: token,
		yield: yield}
}

// run yields the chunks of all parts.
func (c *streamContinuation) run(ctx context.Context, op *operation) {
	for {
		c.part = streamPart{}
		c.parts++
		stream(ctx, c.settings, op, c.take)
		if c.part.isLeft || !c.goesOn(ctx, &c.part) {
			return
		}
		var err error
		if op, err = c.next(); err != nil {
			c.yield(nil, err)
			return
		}
	}
}

// next returns the operation for the part that begins at the token.
func (c *streamContinuation) next() (*operation, error) {
	request, err := DecodeRequest(c.request)
	if err != nil {
		return nil, err
	}
	request.Model = &c.model
	return c.settings.generation(continued(request, c.token), "streamGenerateContent")
}

// take handles a chunk of the part, or the error that ends it.
func (c *streamContinuation) take(chunk *geminiapi.GenerateContentResponse, err error) bool {
	if err != nil {
		c.part.err = err
		return false
	}
	return c.deliver(&c.part, chunk)
}

// deliver records the state in a chunk and yields the chunk without the sign that more follows.
func (c *streamContinuation) deliver(part *streamPart,
	chunk *geminiapi.GenerateContentResponse) bool {
	part.hasChunk = true
	part.hasFeedback = part.hasFeedback || chunk.PromptFeedback != nil
	c.identify(chunk)
	if chunk.UsageMetadata != nil {
		if c.usage != nil {
			chunk.UsageMetadata = sumOfUsage(c.usage, chunk.UsageMetadata)
		}
		part.usage = chunk.UsageMetadata
	}
	if candidate := FirstCandidate(chunk); candidate != nil {
		if !c.replay.trim(candidate.Content) {
			part.err = errOtherReplay
			return false
		}
		c.note(part, candidate)
	}
	if !c.yield(chunk, nil) {
		part.isLeft = true
		return false
	}
	return true
}

// errOtherReplay ends a part that repeats different text than was delivered.
var errOtherReplay = errors.New("the resumed stream has different text")

// identify sets the id of a chunk to the id of the answer.
func (c *streamContinuation) identify(chunk *geminiapi.GenerateContentResponse) {
	switch {
	case jsonx.Deref(c.id) != "":
		chunk.ResponseID = c.id
	case c.id == nil && chunk.ResponseID != nil:
		c.id = new(strings.Clone(*chunk.ResponseID))
	}
}

// note records the progress of the answer after a chunk, and removes the sign that more follows.
func (c *streamContinuation) note(part *streamPart, candidate *geminiapi.Candidate) {
	part.hasContent = part.hasContent ||
		candidate.Content != nil && len(candidate.Content.Parts) > 0
	token := jsonx.Deref(candidate.ContinuationToken)
	switch {
	case !isIntermediate(candidate):
		part.isFinished, part.token = true, ""
	case token != "":
		part.token, part.since = strings.Clone(token), replay{}
		part.isContinued = jsonx.Deref(candidate.FinishReason) == geminiapi.FinishReasonContinuation
		if c.mayGoOn(part) {
			candidate.ContinuationToken, candidate.FinishReason, candidate.FinishMessage = nil, nil,
				nil
		}
	case part.token != "":
		part.since.add(candidate.Content)
	}
}

// mayGoOn reports whether the client may request another part, from a new token.
func (c *streamContinuation) mayGoOn(part *streamPart) bool {
	return part.token != "" && part.token != c.token && !part.hasFeedback &&
		c.parts <= c.settings.rounds
}

// goesOn reports whether another part follows, from the token of c. If not, goesOn has yielded the
// error.
func (c *streamContinuation) goesOn(ctx context.Context, part *streamPart) bool {
	if part.usage != nil {
		c.usage = part.usage
	}
	if part.err == errOtherReplay {
		return c.fail(cmp.Or(c.broken, part.err))
	}
	ended := part.isFinished || part.hasFeedback || part.isContinued && !c.mayGoOn(part)
	switch {
	case ended && part.err == nil:
		return false
	case ended, ctx.Err() != nil, part.err != nil && !part.mayPass():
	case c.mayGoOn(part):
		c.token, c.replay, c.reconnects, c.broken = part.token, part.since, 0, part.err
		return part.since.isText() || c.fail(part.err)
	case !part.hasContent && c.token != "" && c.reconnects < maxReconnects &&
		c.parts <= c.settings.rounds:
		c.reconnects++
		c.broken = part.err
		return true
	}
	return c.fail(part.err)
}

// fail ends the answer with an error, and returns false.
func (c *streamContinuation) fail(err error) bool {
	if err != nil {
		c.yield(nil, err)
	}
	return false
}

// mayPass reports whether the failure of a part may be temporary. If the API refused a request
// before it sent a chunk, the client has already retried as often as it may.
func (p *streamPart) mayPass() bool {
	if _, isRefused := errors.AsType[*Error](p.err); isRefused && !p.hasChunk {
		return false
	}
	return verdictOf(p.err).Again
}

// replay is text that was delivered after a checkpoint and that the server may send again.
type replay struct {
	runs    []textRun
	isOther bool // content other than text was delivered
}

// textRun is a text of the answer or of the thoughts.
type textRun struct {
	text      string
	isThought bool
}

// isText reports whether the delivered content is only text.
func (r *replay) isText() bool { return !r.isOther }

// add adds delivered content.
func (r *replay) add(content *geminiapi.Content) {
	if content == nil {
		return
	}
	for i := range content.Parts {
		run, ok := textOf(&content.Parts[i])
		if !ok {
			r.isOther = true
			continue
		}
		last := len(r.runs) - 1
		if last >= 0 && r.runs[last].isThought == run.isThought {
			r.runs[last].text += run.text
		} else if run.text != "" {
			r.runs = append(r.runs, textRun{strings.Clone(run.text), run.isThought})
		}
	}
}

// trim removes the delivered text from the beginning of a content. It returns false if the texts
// differ.
func (r *replay) trim(content *geminiapi.Content) bool {
	if content == nil {
		return true
	}
	for i := range content.Parts {
		part := &content.Parts[i]
		for len(r.runs) > 0 && jsonx.Deref(part.Text) != "" {
			run, ok := textOf(part)
			due := r.runs[0]
			if !ok || run.isThought != due.isThought {
				return false
			}
			n := min(len(run.text), len(due.text))
			if run.text[:n] != due.text[:n] {
				return false
			}
			*part.Text = run.text[n:]
			if r.runs[0].text = due.text[n:]; r.runs[0].text == "" {
				r.runs = r.runs[1:]
			}
		}
		if len(r.runs) > 0 && part.Text == nil {
			return false
		}
	}
	return true
}

// textOf returns the text of a part that has nothing else.
func textOf(part *geminiapi.Part) (run textRun, ok bool) {
	rest := *part
	run = textRun{jsonx.Deref(part.Text), jsonx.Deref(part.Thought)}
	rest.Text, rest.Thought = nil, nil
	return run, part.Text != nil && rest.IsEmpty()
}
