package gemini

import (
	"context"
	"errors"
	"io"
	"net/url"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini/internal/keyring"
	"github.com/gemwire/gemwire/pkg/gemini/internal/retry"
	"github.com/gemwire/gemwire/pkg/gemini/internal/transport"
)

// operation is a method of the API with its arguments.
type operation struct {
	name     string // in errors and for observers, such as "generateContent"
	method   string // the HTTP method
	folder   string // before the version: "" or "upload"
	resource string // escaped, such as "models/m"
	verb     string // after the resource and a colon: "" or, for example, "generateContent"
	address  string // an address from the server, instead of folder, resource and verb
	isStream bool
	// isDownload treats a redirect as an answer, and allows any address. Such an address gets no
	// credential and none of the caller's headers.
	isDownload bool

	query  []pair
	header []pair
	body   []byte    // JSON, unless header says otherwise; may be nil
	upload io.Reader // instead of body; it is read once, so the call is not retried
	size   int64     // of upload

	// For observers.
	model  string // as the caller named it, or ""
	config *geminiapi.GenerationConfig
	answer *geminiapi.GenerateContentResponse // the whole answer
}

// callJSON makes a call whose answer is one JSON text.
func callJSON[T any](ctx context.Context, s *settings, op *operation,
	decode func(body []byte) (*T, error)) (*T, error) {
	return callBody(ctx, s, op,
		func(body transport.Body) (*T, error) { return decode(body.Bytes()) })
}

// callBody makes a call whose answer is one body, which is decoded from its pieces.
func callBody[T any](ctx context.Context, s *settings, op *operation,
	decode func(transport.Body) (*T, error)) (*T, error) {
	ctx, cancel := s.limit(ctx)
	defer cancel()
	var out *T
	err := s.call(ctx, op, func(reply *transport.Reply) error {
		defer reply.Close()
		body, err := reply.ReadBody(s.maxBodySize)
		s.raw.keep(body)
		if err != nil {
			return err
		}
		body = body.WithoutMark()
		if out, err = decode(body); err != nil {
			return s.unexpected(reply, body.Bytes(), err)
		}
		if len(s.raw) == 0 {
			body.Release() // decoding keeps copies
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// call makes a call that ends when use succeeds, see [settings.send].
func (s *settings) call(ctx context.Context, op *operation,
	use func(*transport.Reply) error) error {
	x, err := s.send(ctx, op, use)
	if err == nil {
		x.ended(nil, false)
	}
	return err
}

// limit returns a context with the overall timeout of a call.
func (s *settings) limit(ctx context.Context) (context.Context, context.CancelFunc) {
	if s.overall <= 0 {
		return ctx, func() {}
	}
	return context.WithTimeoutCause(ctx, s.overall,
		&TimeoutError{Limit: transport.LimitOverall, After: s.overall})
}

// send makes a call with all its attempts. use reads the reply to an attempt if the status is a
// success, and closes it unless use fails. An error of use may be retried.
//
// send returns a *[CallError] unless the server reported the error. If send succeeds, the caller
// must still report the end of the call to the observers.
func (s *settings) send(ctx context.Context, op *operation,
	use func(*transport.Reply) error) (*exchange, error) {
	x := &exchange{settings: s, op: op, use: use}
	if err := x.prepare(); err != nil {
		return nil, x.failed(err)
	}
	ctx = x.observe(ctx)
	hasReturned := false
	defer func() {
		if !hasReturned { // code of the caller has panicked
			x.ended(x.failed(errPanicked), false)
		}
	}()
	err := s.retry.Run(ctx, s.budget, func(number int) (retry.Verdict, error) {
		x.attempts = number
		return x.attempt(ctx)
	})
	hasReturned = true
	if err != nil {
		err = x.failed(err)
		x.ended(err, false)
		return nil, err
	}
	return x, nil
}

var errPanicked = errors.New("the call ended in a panic")

// exchange is a call in flight.
type exchange struct {
	settings *settings
	op       *operation
	use      func(*transport.Reply) error
	origin   *url.URL          // the only origin that gets the credential
	isAway   bool              // the request goes to another origin
	request  transport.Request // the request of each attempt

	key      usedKey // of the last attempt
	attempts int
	status   int // of the last reply, or 0
	rotated  int // the number of keys given up
	// limited is the verdict of the key that is available first, among the keys that were rate
	// limited since the last wait.
	limited  retry.Verdict
	observed *observed
}

// attempt makes an attempt and judges it. attempt and the functions that it calls, up to the reader
// of the body, have small frames: the stack of a call that waits for its answer should not grow.
func (x *exchange) attempt(ctx context.Context) (retry.Verdict, error) {
	began := x.settings.retry.Now()
	x.status, x.key = 0, usedKey{}
	do, err := x.doer(ctx)
	if err == nil {
		err = x.try(ctx, do)
	}
	return x.conclude(ctx, began, err)
}

// conclude judges an attempt and reports it to the observers.
func (x *exchange) conclude(ctx context.Context, began time.Time, err error) (retry.Verdict,
	error) {
	verdict := retry.Verdict{}
	if err != nil {
		x.settings.blankSecrets(err)
		verdict = x.judge(ctx, err)
	} else {
		x.key.good()
	}
	if x.observed != nil {
		x.observed.attempt(began, AttemptInfo{
			Number: x.attempts, HTTPStatus: x.status, Err: x.failed(err), RetryAfter: verdict.Wait,
			Key: x.key.index(),
		})
	}
	return verdict, err
}

// try sends the request once and reads the reply. It closes the reply unless that succeeds.
func (x *exchange) try(ctx context.Context, do Doer) error {
	reply, err := transport.Send(ctx, do, &x.request, x.settings.limits)
	if err != nil {
		return err
	}
	x.status = reply.Status
	x.settings.raw.begin(reply)
	isRead := false // also after a panic in the caller's code
	defer func() {
		if !isRead {
			reply.Close()
		}
	}()
	err = x.read(reply)
	isRead = err == nil
	return err
}

// maxErrorSize is the maximum number of bytes read of an error body.
const maxErrorSize = 1 << 20

// read reads a reply of any status.
func (x *exchange) read(reply *transport.Reply) error {
	if reply.Status >= 200 && reply.Status < 300 || x.op.isDownload && reply.IsRedirect() {
		return x.use(reply)
	}
	body := reply.ReadUpTo(maxErrorSize)
	x.settings.raw.keep(transport.Body{body})
	return refusal(reply, body)
}

// judge decides what a failure means for the next attempt.
func (x *exchange) judge(ctx context.Context, err error) retry.Verdict {
	verdict := verdictOf(err)
	if ctx.Err() != nil || x.op.upload != nil {
		verdict.Again = false
	}
	reported, ok := errors.AsType[*Error](err)
	if ok && x.key.isSet() && x.op.upload == nil &&
		(reported.Category() == CategoryRateLimit || reported.RefusesCredential()) {
		return x.rotate(reported, verdict)
	}
	return verdict
}

// rotate pauses the key. It decides whether to use another key at once, or for which key to wait.
// It waits for the key that is available first, not for the last one, which may be refused or have
// no quota for the day.
func (x *exchange) rotate(reported *Error, verdict retry.Verdict) retry.Verdict {
	if verdict.Again && (!x.limited.Again || verdict.Wait < x.limited.Wait) {
		x.limited = verdict
	}
	hasOther := x.key.rest(reported)
	isAtOnce := hasOther && x.rotated < x.settings.keys.Len()-1
	x.rotated++
	if isAtOnce {
		verdict.AtOnce = true
		return verdict
	}
	if x.limited.Again {
		verdict = x.limited
	}
	x.limited = retry.Verdict{}
	return verdict
}

// verdictOf returns what an error means for a retry of the same request.
func verdictOf(err error) retry.Verdict {
	if reported, ok := errors.AsType[*Error](err); ok {
		return retry.Verdict{Again: reported.Retryable(), Wait: reported.RetryAfter}
	}
	return retry.Verdict{Again: CategoryOf(err).Retryable()}
}

// How long keys are paused if the server does not say: from the first time up to the limit.
const (
	keyRest      = 5 * time.Second
	keyRestLimit = time.Hour
)

// usedKey is the key of an attempt; it is empty for other credentials.
type usedKey struct {
	key keyring.Key
	now func() time.Time
}

func (u usedKey) isSet() bool { return u.now != nil }

// index returns the index of the key in the list, or -1.
func (u usedKey) index() int {
	if u.isSet() {
		return u.key.Index
	}
	return -1
}

func (u usedKey) good() {
	if u.isSet() {
		u.key.Good()
	}
}

// rest pauses the key. A refused key, or a key without quota for the day, pauses longer than a
// rate-limited one. rest reports whether another key is available.
func (u usedKey) rest(e *Error) bool {
	base, wait := keyRest, e.RetryAfter
	if e.IsDailyQuota() || e.RefusesCredential() {
		base, wait = keyRestLimit, 0
	}
	return u.key.Rest(u.now(), wait, base, keyRestLimit)
}
