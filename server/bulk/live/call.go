package live

import (
	"bytes"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/gemwire/gemwire/server/bulk/limit"
	"github.com/gemwire/gemwire/server/bulk/line"
	"github.com/gemwire/gemwire/server/gateway"
	"github.com/gemwire/gemwire/server/gateway/exchange"
)

// call has the handler answer a line, once.
func (r *run) call(l *line.Line) *reply {
	answer := &reply{header: http.Header{}, url: l.URL}
	ctx := exchange.WithRecorder(gateway.AsClient(gateway.WithSingleAttempt(r.calling), r.item.Job.Owner), answer)
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://localhost"+l.URL, bytes.NewReader(l.Body))
	if err != nil {
		answer.fail(http.StatusBadRequest, "the url of the line is none")
		return answer
	}
	for name, values := range r.header {
		request.Header[name] = values
	}
	request.Header.Set("Content-Type", "application/json")
	serve(r.handler, answer, request)
	answer.complete()
	return answer
}

// serve has a request answered. A handler that panics fails at this one alone.
func serve(handler http.Handler, answer *reply, request *http.Request) {
	defer func() {
		switch reason := recover(); reason {
		case nil:
		case http.ErrAbortHandler:
			answer.fail(http.StatusBadGateway, "the answer broke off")
		default:
			answer.fail(http.StatusInternalServerError, fmt.Sprintf("the gateway panicked: %T", reason)) // which may quote the line
		}
	}()
	handler.ServeHTTP(answer, request)
}

// reply is what came of a call. It is the writer that the handler writes to, and told by it of tokens and costs.
type reply struct {
	exchange.Nothing
	url    string
	header http.Header
	status int
	body   []byte

	told      bool // the handler is a gateway
	attempts  int
	unreached bool   // by the last attempt
	code      string // of the error
	message   string
	usage     line.Usage
	wait      time.Duration
	isCut     bool
}

// Header implements [http.ResponseWriter].
func (a *reply) Header() http.Header { return a.header }

// WriteHeader implements [http.ResponseWriter].
func (a *reply) WriteHeader(status int) {
	if a.status == 0 && status >= http.StatusOK {
		a.status = status
	}
}

// Write implements [http.ResponseWriter].
func (a *reply) Write(p []byte) (int, error) {
	a.WriteHeader(http.StatusOK)
	if a.body == nil {
		size, _ := strconv.Atoi(a.header.Get("Content-Length"))
		a.body = make([]byte, 0, max(min(size, 1<<20), len(p)))
	}
	a.body = append(a.body, p...)
	return len(p), nil
}

// Attempt implements [exchange.Recorder].
func (a *reply) Attempt(attempt exchange.Attempt) {
	a.attempts++
	a.unreached = attempt.IsUnreached
}

// End implements [exchange.Recorder].
func (a *reply) End(end exchange.End) {
	a.told = true
	a.code, a.message = end.ErrorCode, end.ErrorMessage
	a.usage = line.Usage{
		InputTokens: int64(end.Usage.InputTokens), CachedTokens: int64(end.Usage.CachedTokens),
		OutputTokens:   int64(end.Usage.OutputTokens + end.Usage.ThinkingTokens),
		ThinkingTokens: int64(end.Usage.ThinkingTokens),
	}
	switch {
	case end.Cost != nil:
		a.usage.Cost, a.usage.Currency = end.Cost.Amount, end.Cost.Currency
	case a.usage != line.Usage{}:
		a.usage.Unpriced = 1
	}
}

// complete works out what the handler left open.
func (a *reply) complete() {
	if !a.told {
		a.attempts = 1
	}
	switch {
	case a.isCut:
	case a.status == 0:
		a.fail(http.StatusBadGateway, "there was no answer")
	case !isJSON(a.body):
		a.fail(http.StatusBadGateway, "the answer is no JSON")
	}
	a.wait = waitOf(a.header)
}

// used is what the call took of the limits. What a call read that failed nobody tells.
func (a *reply) used(estimate limit.Use) limit.Use {
	out := limit.Use{Requests: int64(a.attempts), TokensIn: a.usage.InputTokens, TokensOut: a.usage.OutputTokens}
	if a.attempts > 0 && a.verdict() == failed {
		out.TokensIn = max(out.TokensIn, estimate.TokensIn)
	}
	return out
}

// requestID returns the id by which logs know the call.
func (a *reply) requestID() string {
	for _, name := range []string{"X-Request-Id", "Request-Id"} {
		if id := a.header.Get(name); id != "" {
			return id
		}
	}
	return ""
}

// waitOf returns how long an answer asks to wait, 0 where it does not.
func waitOf(header http.Header) time.Duration {
	if ms, err := strconv.ParseInt(header.Get("Retry-After-Ms"), 10, 64); err == nil && ms > 0 {
		return time.Duration(ms) * time.Millisecond
	}
	if seconds, err := strconv.ParseInt(header.Get("Retry-After"), 10, 32); err == nil && seconds > 0 {
		return time.Duration(seconds) * time.Second
	}
	return 0
}
