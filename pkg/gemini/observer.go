package gemini

import (
	"context"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini/internal/endpoint"
)

// Observer watches the calls of a client, for logs, traces and metrics. It is told of what happens
// and of counts, never of prompts, answers or credentials. Packages sloggemini and otelgemini have
// one each.
//
// An observer is safe for use by several goroutines. What it does, the call waits for.
type Observer interface {
	// Begin is told of a call before anything is sent. The context that it returns is that of the
	// call, so that it can hold a span; the observation is told what becomes of the call, by one
	// goroutine at a time.
	Begin(ctx context.Context, call CallInfo) (context.Context, Observation)
}

// Observation watches one call.
type Observation interface {
	// Attempt is told of each attempt that has ended: for a stream, with its first chunk.
	Attempt(AttemptInfo)
	// Chunk is told of each chunk of a stream when it has come.
	Chunk(ChunkInfo)
	// End is told once, as the last, how the call has ended: for a stream, when the loop over it
	// has.
	End(CallResult)
}

// CallInfo is what is known of a call when it begins.
type CallInfo struct {
	// Operation is the method of the API, such as "generateContent".
	Operation string
	// Model is the model as the caller named it, "" for calls that are of none.
	Model string
	// IsVertexAI tells Vertex AI from the Gemini API.
	IsVertexAI bool
	// IsStream tells that the answer comes in chunks.
	IsStream bool
	// ServerAddress and ServerPort are where the call goes to.
	ServerAddress string
	ServerPort    int
	// Config is the request's, nil without one. It must not be changed.
	Config *geminiapi.GenerationConfig
}

// AttemptInfo is how an attempt has ended.
type AttemptInfo struct {
	// Number counts from 1.
	Number int
	// Duration is from the request to the end of the answer, or the first chunk of a stream.
	Duration time.Duration
	// HTTPStatus is that of the reply, 0 without one.
	HTTPStatus int
	// Err is nil for one that succeeded, else an *[Error] or a *[CallError]. Its text may quote
	// what the server said.
	Err error
	// RetryAfter is how long the server asks to wait, 0 when it does not say.
	RetryAfter time.Duration
	// Key is the place of the API key in the list of [WithAPIKeys], -1 without one.
	Key int
}

// ChunkInfo is a chunk that has come.
type ChunkInfo struct {
	// Number counts from 1.
	Number int
	// Since is the time since the call began.
	Since time.Duration
}

// CallResult is how a call has ended.
type CallResult struct {
	// Duration is that of the whole call, in a stream with what the caller did in the loop.
	Duration time.Duration
	// Attempts is how many there were.
	Attempts int
	// HTTPStatus is that of the last reply, 0 without one.
	HTTPStatus int
	// Err is what the call returned. Its text may quote what the server said.
	Err error
	// IsLeft tells that the caller left the loop over a stream before its end.
	IsLeft bool
	// Chunks is how many of a stream have come.
	Chunks int

	// The rest is what the answer says of itself. Of a stream, the last chunk wins that says it.

	// ResponseID and ModelVersion are "" when the answer does not say them.
	ResponseID, ModelVersion string
	// Usage is nil when the answer has no counts. It must not be changed.
	Usage *geminiapi.UsageMetadata
	// FinishReasons has one for each candidate that gave one, in their order.
	FinishReasons []geminiapi.FinishReason
	// BlockReason is why the prompt was refused, "" when it was not.
	BlockReason geminiapi.BlockReason
}

// WithObserver adds an observer. Several are told in the order in which they were added.
func WithObserver(observer Observer) Option {
	return anyOption(func(s *settings) {
		if observer != nil {
			s.observers = appended(s.observers, observer)
		}
	})
}

// observed is a call that observers watch. A nil one does nothing.
type observed struct {
	now          func() time.Time
	start        time.Time
	observations []Observation
	result       CallResult
}

// observe tells the observers that a call begins.
func (x *exchange) observe(ctx context.Context) context.Context {
	s := x.settings
	if len(s.observers) == 0 {
		return ctx
	}
	call := CallInfo{
		Operation: x.op.name, Model: x.op.model, IsVertexAI: s.endpoint.IsVertexAI(),
		IsStream:      x.op.isStream,
		ServerAddress: x.origin.Hostname(), ServerPort: endpoint.Port(x.origin),
		Config: x.op.config,
	}
	x.observed = &observed{now: s.retry.Now, start: s.retry.Now()}
	for _, observer := range s.observers {
		var observation Observation
		ctx, observation = observer.Begin(ctx, call)
		x.observed.observations = append(x.observed.observations, observation)
	}
	return ctx
}

// attempt tells of an attempt that began at some time.
func (o *observed) attempt(began time.Time, info AttemptInfo) {
	if o == nil {
		return
	}
	info.Duration = o.now().Sub(began)
	for _, observation := range o.observations {
		observation.Attempt(info)
	}
}

// chunk tells of a chunk.
func (o *observed) chunk(r *geminiapi.GenerateContentResponse) {
	if o == nil {
		return
	}
	o.result.note(r)
	o.result.Chunks++
	info := ChunkInfo{Number: o.result.Chunks, Since: o.now().Sub(o.start)}
	for _, observation := range o.observations {
		observation.Chunk(info)
	}
}

// ended tells the observers of the end of a call.
func (x *exchange) ended(err error, isLeft bool) {
	o := x.observed
	if o == nil {
		return
	}
	if x.op.answer != nil {
		o.result.note(x.op.answer)
	}
	o.result.Duration = o.now().Sub(o.start)
	o.result.Attempts, o.result.HTTPStatus, o.result.Err, o.result.IsLeft = x.attempts, x.status,
		err, isLeft
	for _, observation := range o.observations {
		observation.End(o.result)
	}
}

// note takes over what a response says of itself.
func (c *CallResult) note(r *geminiapi.GenerateContentResponse) {
	if r.ResponseID != nil {
		c.ResponseID = *r.ResponseID
	}
	if r.ModelVersion != nil {
		c.ModelVersion = *r.ModelVersion
	}
	if r.UsageMetadata != nil && (tokensOf(r).total > 0 || c.Usage == nil) {
		c.Usage = r.UsageMetadata
	}
	if r.PromptFeedback != nil && r.PromptFeedback.BlockReason != nil {
		c.BlockReason = *r.PromptFeedback.BlockReason
	}
	for i := range r.Candidates {
		if reason := r.Candidates[i].FinishReason; reason != nil &&
			!unspecifiedReasons[string(*reason)] {
			c.FinishReasons = append(c.FinishReasons, *reason)
		}
	}
}
