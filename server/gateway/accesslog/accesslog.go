// Package accesslog writes a log line for each request that a gateway has served.
//
//	handler, err := gateway.New(gateway.WithObserver(accesslog.New(slog.Default())))
//
// A line has what an operator needs for statistics: client, model, outcome, duration, tokens, cost
// and losses. It has no body, no query and no error message, which could quote any of these. Of the
// headers it has the user agent, and the ids of a coding agent's session. Times are in
// milliseconds, as their names say.
//
// A served request has the level info. A request whose client disconnected has the level info and
// the status 499. A refused request, or a stream that ended with an error, is a warning. A request
// that failed on the server's side is an error.
//
// upstream_host is the host and port of an upstream to which the connection failed.
//
// upstream_model is the model that answered. asked_model is set if the gateway called another
// model.
package accesslog

import (
	"context"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/gemwire/gemwire/server/gateway/exchange"
	"github.com/gemwire/gemwire/server/internal/credential"
)

// New returns an observer that writes to a logger. Nil selects the default logger ([slog.Default]).
func New(logger *slog.Logger) exchange.Observer {
	if logger == nil {
		logger = slog.Default()
	}
	return observer{logger}
}

type observer struct{ logger *slog.Logger }

// Begin implements [exchange.Observer].
func (o observer) Begin(start exchange.Start) exchange.Recorder {
	return &recorder{logger: o.logger, start: start}
}

// recorder writes the line of one request.
type recorder struct {
	exchange.Nothing
	logger   *slog.Logger
	start    exchange.Start
	attempts int
	account  string
}

// Attempt records the Gemini call.
func (r *recorder) Attempt(attempt exchange.Attempt) {
	r.attempts++
	r.account = attempt.Account
}

// End writes the line.
func (r *recorder) End(end exchange.End) {
	ctx, level := context.Background(), levelOf(end)
	if !r.logger.Enabled(ctx, level) {
		return
	}
	attrs := make([]slog.Attr, 0, 32)
	attrs = r.appendAsked(attrs, end)
	attrs = appendOutcome(attrs, end)
	attrs = appendUsage(attrs, end)
	r.logger.LogAttrs(ctx, level, "request", attrs...)
}

// statusClientLeft is nginx's status for a client that disconnected before its answer.
const statusClientLeft = 499

func levelOf(end exchange.End) slog.Level {
	switch {
	case end.Canceled || end.Status == statusClientLeft:
		return slog.LevelInfo
	case end.Status >= http.StatusInternalServerError:
		return slog.LevelError
	case end.Status >= http.StatusBadRequest || end.ErrorType != "" || end.ErrorCode != "":
		return slog.LevelWarn
	default:
		return slog.LevelInfo
	}
}

// maxText is the maximum length of a text that the client has chosen.
const maxText = 200

func clientText(name, text string) slog.Attr {
	// for example sent as the name of a model by mistake
	text = credential.Blank(text[:min(len(text), maxScanned)])
	if len(text) > maxText {
		text = text[:maxText] + "..."
	}
	return slog.String(name, strings.ToValidUTF8(text, "\ufffd"))
}

// maxScanned is the length of a text that is searched for credentials. It is larger than [maxText],
// or a credential at the cut would not be recognized.
const maxScanned = 2 << 10

// appendAsked appends the client and what it requested.
func (r *recorder) appendAsked(attrs []slog.Attr, end exchange.End) []slog.Attr {
	attrs = append(attrs, slog.String("id", r.start.ID), slog.String("form", r.start.Form),
		clientText("method", r.start.Method), clientText("path", r.start.Path))
	attrs = appendText(attrs, "client", r.start.ClientName)
	attrs = append(attrs, slog.String("remote", r.start.RemoteAddr),
		clientText("user_agent", r.start.UserAgent))
	attrs = appendText(attrs, "session", r.start.Session)
	attrs = appendText(attrs, "agent", r.start.Agent)
	attrs = appendText(attrs, "parent_agent", r.start.ParentAgent)
	attrs = appendCount(attrs, "client_retry", r.start.ClientRetry)
	if end.Model != "" {
		attrs = append(attrs, clientText("model", end.Model))
	}
	if end.UpstreamModel != end.Model && end.UpstreamModel != "" {
		attrs = append(attrs, clientText("upstream_model", end.UpstreamModel))
	}
	if end.AskedModel != end.UpstreamModel && end.AskedModel != "" {
		attrs = append(attrs, clientText("asked_model", end.AskedModel))
	}
	attrs = appendText(attrs, "service", end.Service)
	attrs = appendText(attrs, "upstream_host", end.UpstreamHost)
	attrs = appendText(attrs, "account", r.account)
	return append(attrs, slog.Int("attempts", r.attempts), slog.Bool("stream", end.Stream))
}

// appendOutcome appends the outcome.
func appendOutcome(attrs []slog.Attr, end exchange.End) []slog.Attr {
	attrs = append(attrs, slog.Int("status", end.Status),
		inMilliseconds("duration_ms", end.Duration))
	if end.FirstToken > 0 {
		attrs = append(attrs, inMilliseconds("first_token_ms", end.FirstToken))
	}
	if end.Canceled {
		attrs = append(attrs, slog.Bool("canceled", true))
	}
	attrs = appendText(attrs, "error_type", end.ErrorType)
	attrs = appendText(attrs, "error_code", end.ErrorCode)
	attrs = appendText(attrs, "finish_reason", string(end.FinishReason))
	attrs = append(attrs, slog.Int64("bytes_in", end.BytesIn),
		slog.Int64("bytes_out", end.BytesOut))
	attrs = appendCount(attrs, "lost", end.Lost)
	attrs = appendCount(attrs, "approximated", end.Approximated)
	attrs = appendCount(attrs, "added", end.Added)
	return appendCount(attrs, "compacted", end.Compacted)
}

// appendUsage appends tokens and cost.
func appendUsage(attrs []slog.Attr, end exchange.End) []slog.Attr {
	attrs = appendCount(attrs, "input_tokens", end.Usage.InputTokens)
	attrs = appendCount(attrs, "cached_tokens", end.Usage.CachedTokens)
	attrs = appendCount(attrs, "tool_use_tokens", end.Usage.ToolUseTokens)
	attrs = appendCount(attrs, "output_tokens", end.Usage.OutputTokens)
	attrs = appendCount(attrs, "thinking_tokens", end.Usage.ThinkingTokens)
	if end.UsageEstimated {
		attrs = append(attrs, slog.Bool("usage_estimated", true))
	}
	if end.Cost != nil {
		attrs = append(attrs, slog.Float64("cost", end.Cost.Amount),
			slog.String("currency", end.Cost.Currency),
			slog.String("rate", end.Cost.Source))
	}
	return attrs
}

// inMilliseconds returns a duration as a number whose attribute name has the unit. slog would write
// a duration as bare nanoseconds in JSON.
func inMilliseconds(name string, d time.Duration) slog.Attr {
	return slog.Float64(name, float64(d.Microseconds())/1000)
}

func appendText(attrs []slog.Attr, name, text string) []slog.Attr {
	if text == "" {
		return attrs
	}
	return append(attrs, clientText(name, text))
}

func appendCount(attrs []slog.Attr, name string, n int) []slog.Attr {
	if n == 0 {
		return attrs
	}
	return append(attrs, slog.Int(name, n))
}
