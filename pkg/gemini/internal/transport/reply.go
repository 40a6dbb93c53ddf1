package transport

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/gemwire/gemwire/internal/recovered"
)

// Limits end a request that takes too long; 0 means no limit.
type Limits struct {
	// Attempt is the limit from the request to the end of the reply, or to [Reply.Begin].
	Attempt time.Duration
	// Idle is how long a reader waits for more of the reply after Begin.
	Idle time.Duration
	// NewError returns the error of a request that exceeded a limit, from the name and the duration
	// of the limit.
	NewError func(limit string, after time.Duration) error
}

// The names of the limits.
const (
	LimitOverall = "overall"
	LimitAttempt = "attempt"
	LimitIdle    = "stream idle"
)

// limitError ends a request that exceeded one of its limits. Err comes from [Limits.NewError].
type limitError struct{ err error }

// Error returns the text of the error.
func (e *limitError) Error() string { return e.err.Error() }

// Unwrap returns the error.
func (e *limitError) Unwrap() error { return e.err }

// Reply is the reply to a request. Its body is not read yet. The caller must close it.
type Reply struct {
	Status int
	Header http.Header
	// Size is the size of the body, or -1 if unknown.
	Size int64

	ctx    context.Context
	cancel context.CancelCauseFunc
	body   io.ReadCloser
	sent   *payload // the request's payload, or nil
	limits Limits
	timer  *time.Timer
	begun  bool
	unhook func() bool
	once   sync.Once
}

// Request is a request. It may be sent several times, unless it has an upload.
type Request struct {
	Method string
	URL    *url.URL
	Header http.Header
	// Body is the body, or nil for no body.
	Body []byte
	// Upload is a body that is read once; UploadSize is its size.
	Upload     io.Reader
	UploadSize int64
}

// Send sends a request and waits for the status and headers of the reply.
func Send(ctx context.Context, do Doer, request *Request, limits Limits) (*Reply, error) {
	r := &Reply{limits: limits}
	r.ctx, r.cancel = context.WithCancelCause(ctx)
	if limits.Attempt > 0 {
		r.timer = time.AfterFunc(limits.Attempt, func() { r.expire(LimitAttempt, limits.Attempt) })
	}
	response, err := r.do(do, request)
	if err == nil && response == nil {
		err = errNoResponse
	}
	if err != nil {
		err = r.reason(err)
		r.Close()
		return nil, err
	}
	r.Status, r.Header, r.Size, r.body = response.StatusCode, response.Header,
		response.ContentLength, response.Body
	if r.body == nil {
		r.body = http.NoBody
	}
	// Bodies of a Doer that is not an http.Client may ignore the context.
	r.unhook = context.AfterFunc(r.ctx, r.closeAfterEnd)
	return r, nil
}

// do sends the request. If the Doer panics, do stops the timer.
func (r *Reply) do(do Doer, request *Request) (response *http.Response, err error) {
	hasReturned := false
	defer func() {
		if !hasReturned {
			r.Close()
		}
	}()
	sent, p := request.with(r.ctx)
	r.sent = p
	response, err = do.Do(sent)
	hasReturned = true
	return response, err
}

// closeAfterEnd closes the body in a separate goroutine, where a panic of the caller's body would
// end the program. The call ends with the cause of its context.
func (r *Reply) closeAfterEnd() {
	_ = recovered.Call(func() error {
		r.closeBody()
		return nil
	})
}

// with returns the request for package http, and its body. It copies header and address, because a
// Doer may change them.
func (r *Request) with(ctx context.Context) (*http.Request, *payload) {
	address := *r.URL
	out := (&http.Request{
		Method: r.Method, URL: &address, Host: address.Host, Header: r.Header.Clone(),
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
	}).WithContext(ctx)
	switch {
	case r.Upload != nil && r.UploadSize == 0:
		out.Body = http.NoBody // another body with length 0 has an unknown length
	case r.Upload != nil:
		out.Body, out.ContentLength = io.NopCloser(r.Upload), r.UploadSize
	case r.Body != nil:
		p := newPayload(r.Body)
		out.GetBody = p.open // for a connection that was closed while idle
		out.Body, _ = p.open()
		out.ContentLength = int64(len(r.Body))
		return out, p
	}
	return out, nil
}

var errNoResponse = errors.New("the Doer returned neither a response nor an error")

// IsRedirect reports whether the reply redirects to another address. A 304, for example, does not.
func (r *Reply) IsRedirect() bool {
	return r.Status >= 300 && r.Status < 400 && r.Header.Get("Location") != ""
}

// Begin marks the stream as begun. After it, only the wait for the next bytes is limited, and the
// reply no longer keeps the body of the request.
func (r *Reply) Begin() {
	r.sent.release()
	if r.timer != nil {
		r.timer.Stop()
		r.timer = nil
	}
	r.begun = true
}

// Read reads from the body. After the end of a context or a limit it returns the cause.
func (r *Reply) Read(p []byte) (int, error) {
	if err := Ended(r.ctx); err != nil {
		return 0, err
	}
	if r.begun && r.limits.Idle > 0 {
		r.startIdling()
		defer r.timer.Stop()
	}
	n, err := r.body.Read(p)
	if err != nil && err != io.EOF {
		err = r.reason(err)
	}
	return n, err
}

func (r *Reply) startIdling() {
	if r.timer == nil {
		r.timer = time.AfterFunc(r.limits.Idle, func() { r.expire(LimitIdle, r.limits.Idle) })
		return
	}
	r.timer.Reset(r.limits.Idle)
}

// expire ends the request because of a limit.
func (r *Reply) expire(limit string, after time.Duration) {
	r.cancel(&limitError{r.limits.NewError(limit, after)})
}

// reason returns why the request ended, instead of the error that the connection then reports.
func (r *Reply) reason(err error) error { return cmp.Or(Ended(r.ctx), err) }

// Ended returns why a context ended, or nil if it has not. The result is the cause, joined with the
// context's own error unless the cause is a limit of ours. So errors.Is finds context.Canceled for
// any cause that a caller sets.
func Ended(ctx context.Context) error {
	cause := context.Cause(ctx)
	if limit, isLimit := errors.AsType[*limitError](cause); isLimit {
		return limit.err
	}
	if cause == nil || errors.Is(cause, ctx.Err()) {
		return cause
	}
	return fmt.Errorf("%w: %w", ctx.Err(), cause)
}

// Close ends the request and frees its resources. It may be called several times.
func (r *Reply) Close() {
	if r.timer != nil {
		r.timer.Stop()
	}
	if r.unhook != nil {
		r.unhook()
	}
	r.closeBody()
	r.cancel(context.Canceled)
}

func (r *Reply) closeBody() {
	if r.body != nil {
		r.once.Do(func() { _ = r.body.Close() }) // no caller is left to get the error
	}
}
