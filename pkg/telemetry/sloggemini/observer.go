package sloggemini

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/gemini"
)

// New returns an observer that logs calls to a logger (nil: [slog.Default]).
func New(logger *slog.Logger) gemini.Observer {
	if logger == nil {
		logger = slog.Default()
	}
	return observer{logger}
}

type observer struct{ logger *slog.Logger }

func (o observer) Begin(ctx context.Context, call gemini.CallInfo) (context.Context,
	gemini.Observation) {
	return ctx, &observation{ctx: ctx, logger: o.logger, call: call}
}

// observation logs one call.
type observation struct {
	ctx    context.Context
	logger *slog.Logger
	call   gemini.CallInfo
	first  time.Duration // until the first chunk
}

func (o *observation) Attempt(attempt gemini.AttemptInfo) {
	if attempt.Err == nil {
		return
	}
	attrs := []slog.Attr{
		slog.String("operation", o.call.Operation),
		slog.Int("attempt", attempt.Number),
		inMilliseconds("duration_ms", attempt.Duration),
	}
	if attempt.RetryAfter > 0 {
		attrs = append(attrs, inMilliseconds("retry_after_ms", attempt.RetryAfter))
	}
	if attempt.Key >= 0 {
		attrs = append(attrs, slog.Int("key", attempt.Key))
	}
	o.logger.LogAttrs(o.ctx, slog.LevelDebug, "gemini attempt failed",
		append(attrs, failure(attempt.HTTPStatus, attempt.Err))...)
}

func (o *observation) Chunk(chunk gemini.ChunkInfo) {
	if chunk.Number == 1 {
		o.first = chunk.Since
	}
}

func (o *observation) End(result gemini.CallResult) {
	attrs := append(o.called(), inMilliseconds("duration_ms", result.Duration),
		slog.Int("attempts", result.Attempts))
	attrs = append(attrs, o.streamed(result)...)
	attrs = append(attrs, answered(result)...)
	if result.Err == nil {
		o.logger.LogAttrs(o.ctx, slog.LevelInfo, "gemini call", attrs...)
		return
	}
	o.logger.LogAttrs(o.ctx, slog.LevelWarn, "gemini call failed",
		append(attrs, failure(result.HTTPStatus, result.Err))...)
}

// inMilliseconds returns a duration as a number of milliseconds. In JSON, slog writes durations as
// nanoseconds without a unit.
func inMilliseconds(name string, d time.Duration) slog.Attr {
	return slog.Float64(name, float64(d.Microseconds())/1000)
}

// called returns the attributes of the request.
func (o *observation) called() []slog.Attr {
	service := "gemini_api"
	if o.call.IsVertexAI {
		service = "vertex_ai"
	}
	attrs := []slog.Attr{
		slog.String("operation", o.call.Operation), slog.String("service", service),
		slog.String("server", o.call.ServerAddress),
	}
	if o.call.Model != "" {
		attrs = append(attrs, slog.String("model", o.call.Model))
	}
	return attrs
}

// streamed returns the attributes of a stream.
func (o *observation) streamed(result gemini.CallResult) []slog.Attr {
	if !o.call.IsStream {
		return nil
	}
	return []slog.Attr{
		slog.Int("chunks", result.Chunks), inMilliseconds("time_to_first_chunk_ms", o.first),
		slog.Bool("left", result.IsLeft),
	}
}

// answered returns the attributes of the answer.
func answered(result gemini.CallResult) []slog.Attr {
	var attrs []slog.Attr
	for _, text := range []struct{ name, value string }{
		{"model_version", result.ModelVersion}, {"response_id", result.ResponseID},
		{"block_reason", string(result.BlockReason)},
	} {
		if text.value != "" {
			attrs = append(attrs, slog.String(text.name, text.value))
		}
	}
	if len(result.FinishReasons) > 0 {
		attrs = append(attrs, slog.Any("finish_reasons", result.FinishReasons))
	}
	if result.Usage != nil {
		attrs = append(attrs, tokens(result.Usage))
	}
	return attrs
}

// tokens groups the reported counts.
func tokens(usage *geminiapi.UsageMetadata) slog.Attr {
	var counts []any
	for _, count := range []struct {
		name  string
		value *int
	}{
		{"prompt", usage.PromptTokenCount}, {"cached", usage.CachedContentTokenCount},
		{"tool_use_prompt", usage.ToolUsePromptTokenCount},
		{"candidates", usage.CandidatesTokenCount}, {"thoughts", usage.ThoughtsTokenCount},
		{"total", usage.TotalTokenCount},
	} {
		if count.value != nil {
			counts = append(counts, slog.Int(count.name, jsonx.Deref(count.value)))
		}
	}
	return slog.Group("tokens", counts...)
}

// failure groups the attributes of a failure, without the server's text.
func failure(httpStatus int, err error) slog.Attr {
	attrs := []any{slog.String("category", string(gemini.CategoryOf(err))),
		slog.Int("http_status", httpStatus)}
	reported, ok := errors.AsType[*gemini.Error](err)
	if !ok {
		return slog.Group("error",
			append(attrs, slog.String("type", fmt.Sprintf("%T", innermost(err))))...)
	}
	for _, text := range []struct{ name, value string }{
		{"status", string(reported.Status)}, {"reason", reported.Reason()},
		{"request_id", reported.RequestID},
	} {
		if text.value != "" {
			attrs = append(attrs, slog.String(text.name, text.value))
		}
	}
	return slog.Group("error", attrs...)
}

// innermost returns the first error of a chain.
func innermost(err error) error {
	for {
		cause := errors.Unwrap(err)
		if cause == nil {
			return err
		}
		err = cause
	}
}
