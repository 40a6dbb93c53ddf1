package gemini

import (
	"context"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini/internal/endpoint"
)

// Observer watches the calls of a client, for logs, traces and metrics. It gets events and counts,
// never prompts, answers or credentials. Packages sloggemini and otelgemini each have an Observer.
//
// An observer must be safe for use by several goroutines. The call waits for its methods.
type Observer interface {
	// Begin is called before a call sends anything. The call uses the returned context, so the
	// context can hold a span. The client reports the rest of the call to the observation, from one
	// goroutine at a time.
	Begin(ctx context.Context, call CallInfo) (context.Context, Observation)
}

// Observation watches one call.
type Observation interface {
	// Attempt is called after each attempt: for a stream, after its first chunk.
	Attempt(AttemptInfo)
	// Chunk is called after each chunk of a stream arrives.
	Chunk(ChunkInfo)
	// End is called once, after all other methods, when the call ends. A stream ends with the
	// caller's loop over it.
	End(CallResult)
}

// CallInfo describes a call at its start.
type CallInfo struct {
	// Operation is the method of the API, such as "generateContent".
	Operation string
	// Model is the model as the caller named it, or "" for calls without a model.
	Model string
	// IsVertexAI is true for Vertex AI and false for the Gemini API.
	IsVertexAI bool
	// IsStream reports whether the answer is a stream.
	IsStream bool
	// ServerAddress and ServerPort are the host and port of the server.
	ServerAddress string
	ServerPort    int
	// Config is the request's config, or nil. It must not be changed.
	Config *geminiapi.GenerationConfig
}

// AttemptInfo describes the end of an attempt.
type AttemptInfo struct {
	// Number counts from 1.
	Number int
	// Duration is the time from the request to the end of the answer, or to a stream's first chunk.
	Duration time.Duration
	// HTTPStatus is the status of the reply, or 0 without a reply.
	HTTPStatus int
	// Err is nil after a success, and else an *[Error] or a *[CallError]. Its text may quote the
	// server.
	Err error
	// RetryAfter is how long the server asks to wait, or 0 if it does not say.
	RetryAfter time.Duration
	// Key is the index of the API key in the list of [WithAPIKeys], or -1 without a key.
	Key int
}

// ChunkInfo describes a chunk of a stream.
type ChunkInfo struct {
	// Number counts from 1.
	Number int
	// Since is the time since the call began.
	Since time.Duration
}

// CallResult describes the end of a call.
type CallResult struct {
	// Duration is the time of the whole call. For a stream it includes the caller's loop body.
	Duration time.Duration
	// Attempts is the number of attempts.
	Attempts int
	// HTTPStatus is the status of the last reply, or 0 without a reply.
	HTTPStatus int
	// Err is the error of the call. Its text may quote the server.
	Err error
	// IsLeft reports whether the caller left the loop over a stream before its end.
	IsLeft bool
	// Chunks is the number of chunks of a stream.
	Chunks int

	// The other fields are from the answer. In a stream, the last chunk that has a value wins.

	// ResponseID and ModelVersion are "" if the answer does not have them.
	ResponseID, ModelVersion string
	// Usage is nil if the answer has no token counts. It must not be changed.
	Usage *geminiapi.UsageMetadata
	// FinishReasons has the finish reasons of the candidates, in their order.
	FinishReasons []geminiapi.FinishReason
	// BlockReason is why the prompt was refused, or "" if it was not refused.
	BlockReason geminiapi.BlockReason
}

// WithObserver adds an observer. Observers are called in the order in which they were added.
func WithObserver(observer Observer) Option {
	return anyOption(func(s *settings) {
		if observer != nil {
			s.observers = appended(s.observers, observer)
		}
	})
}

// observed is a call that observers watch. A nil observed does nothing.
type observed struct {
	now          func() time.Time
	start        time.Time
	observations []Observation
	result       CallResult
}

// observe reports the start of a call to the observers.
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

// attempt reports an attempt and its start time.
func (o *observed) attempt(began time.Time, info AttemptInfo) {
	if o == nil {
		return
	}
	info.Duration = o.now().Sub(began)
	for _, observation := range o.observations {
		observation.Attempt(info)
	}
}

// chunk reports a chunk.
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

// ended reports the end of a call to the observers.
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

// note records what a response says about itself.
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
