package upstream

import (
	"cmp"
	"context"
	"errors"
	"math/rand/v2"
	"net"
	"time"

	"github.com/gemwire/gemwire/internal/errortext"
	"github.com/gemwire/gemwire/internal/transporterror"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/server/gateway/exchange"
)

// Call is one request for Gemini.
type Call struct {
	// Models are called in their order, each once, until one answers.
	Models []string
	// Method is the method of the models, such as "generateContent". Refusals are remembered for
	// this method only.
	Method string
	// Attempts is the maximum number of attempts for a model whose server or connection fails, the
	// first attempt included. Attempts with another account do not count.
	Attempts int
	// Repeats is how often a model is called again after an answer that cannot be used, see
	// [UnusableError].
	Repeats int
	// Only is the account to call with, such as the caller's own. The pool does not remember
	// anything about it. Nil selects the accounts of the pool.
	Only *Account
	// RequestID is the id of the client's request. Later requests that find the account paused name
	// it.
	RequestID string
	// Try makes one attempt.
	Try func(*Try) error
	// OnAttempt is called when an attempt has failed or its answer has begun. It may be nil.
	OnAttempt func(exchange.Attempt)
}

// Try is an attempt.
type Try struct {
	// Account is called for Model.
	Account *Account
	Model   string

	// Unusable is the answer of this model before, or nil.
	Unusable *UnusableError

	pool    *Pool
	call    *Call
	number  int
	repeats int // before this attempt
	started time.Time
	isBegun bool
}

// UnusableError reports an answer that no client can use. Try returns it if it
// has sent nothing of the answer.
type UnusableError struct {
	// Why is the reason.
	Why error
	// IsCall reports that the model tried to call a function.
	IsCall bool
	// Repeats is how often the model was called again before.
	Repeats int
}

// Error returns the reason.
func (e *UnusableError) Error() string { return e.Why.Error() }

// Unwrap returns the reason.
func (e *UnusableError) Unwrap() error { return e.Why }

// IsBegun reports whether the answer has begun.
func (t *Try) IsBegun() bool { return t.isBegun }

// MayRepeat reports whether another attempt follows an [UnusableError].
func (t *Try) MayRepeat() bool { return t.repeats < t.call.Repeats }

// Again returns the error of an unusable answer.
func (t *Try) Again(why error, isCall bool) *UnusableError {
	return &UnusableError{Why: why, IsCall: isCall, Repeats: t.repeats}
}

// Begun records that the answer has begun. No other attempt follows after that.
func (t *Try) Begun() {
	t.isBegun = true
	if t.call.Only == nil {
		t.pool.good(t.Account, target{t.Model, t.call.Method})
	}
	t.tell(nil)
}

// longestBackoff is the longest delay before another attempt at the same model. The client waits
// for it.
const longestBackoff = 500 * time.Millisecond

// Run runs a call until a model answers. Its error is the error of the requested model. After an
// answer has begun, it is the error of that answer. It is a *[RestError] if no account could be
// called.
func (p *Pool) Run(ctx context.Context, call *Call) error {
	var first error
	number := 0
	for _, model := range call.Models {
		isBegun, err := p.ask(ctx, call, model, &number)
		if err == nil || isBegun {
			return err
		}
		if first == nil {
			first = err
		}
		if ctx.Err() != nil || !mayOtherAnswer(err, model) {
			break
		}
	}
	return first
}

// ask calls one model with each available account, and retries if the server fails.
func (p *Pool) ask(ctx context.Context, call *Call, model string, number *int) (isBegun bool,
	err error) {
	var tried []*Account
	var unusable *UnusableError
	to := target{model, call.Method}
	for attempt := 1; ; {
		account := call.Only
		if account == nil {
			var resting error
			if account, resting = p.take(to, tried); account == nil {
				return false, cmp.Or(err, resting)
			}
		}
		*number++
		t := newTry(p, call, account, model, *number, unusable)
		if err = call.Try(t); t.isBegun {
			return true, err
		}
		if err == nil {
			t.Begun()
			return true, nil
		}
		again, isUnusable := errors.AsType[*UnusableError](err)
		if call.Only == nil {
			p.noteFailure(account, to, err, call.RequestID)
		}
		t.tell(err)
		switch {
		case ctx.Err() != nil:
			return false, err
		case isUnusable && t.MayRepeat():
			unusable = again
		case isAccounts(err, model) && call.Only == nil:
			tried = append(tried, account)
		case isServers(err) && attempt < call.Attempts:
			attempt++
			if !pause(ctx) {
				return false, err
			}
		default:
			return false, err
		}
	}
}

// newTry returns an attempt that begins now. It is not inlined, because it needs stack that the
// attempt does not need.
//
//go:noinline
func newTry(p *Pool, call *Call, account *Account, model string, number int,
	before *UnusableError) *Try {
	t := &Try{Account: account, Model: model, pool: p, call: call, number: number,
		Unusable: before, started: p.now()}
	if before != nil {
		t.repeats = before.Repeats + 1
	}
	return t
}

// noteFailure records why an account has not answered. After an unusable answer, the
// account is in order.
func (p *Pool) noteFailure(account *Account, to target, err error, id string) {
	if _, hasAnswered := errors.AsType[*UnusableError](err); hasAnswered {
		p.good(account, to)
		return
	}
	p.failed(account, to, err, id)
}

// isAccounts reports whether another account may succeed.
func isAccounts(err error, model string) bool {
	reported, ok := errors.AsType[*gemini.Error](err)
	return ok && (scopeOf(reported, model) != ofNothing ||
		reported.Category() == gemini.CategoryRateLimit)
}

// isServers reports whether an immediate retry may succeed. A request that timed out would not.
func isServers(err error) bool {
	switch gemini.CategoryOf(err) {
	case gemini.CategoryServer, gemini.CategoryNetwork:
		return true
	default:
		return false
	}
}

// mayOtherAnswer reports whether another model may answer after this error.
func mayOtherAnswer(err error, model string) bool {
	if reported, ok := errors.AsType[*gemini.Error](err); ok {
		if refused := scopeOf(reported, model); refused != ofNothing {
			return refused == ofModel
		}
	}
	switch category := gemini.CategoryOf(err); category {
	case gemini.CategoryNotFound:
		return true
	default:
		return category.Retryable()
	}
}

// pause waits for a short time, unless the context ends.
func pause(ctx context.Context) bool {
	timer := time.NewTimer(rand.N(longestBackoff))
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// tell reports the attempt.
func (t *Try) tell(err error) {
	if t.call.OnAttempt == nil {
		return
	}
	a := exchange.Attempt{
		Number: t.number, Account: t.Account.Project, Model: t.Model,
		Started: t.started, Duration: t.pool.now().Sub(t.started), Status: statusOf(err),
	}
	if err != nil {
		a.Err, a.IsUnreached = errortext.WithoutPackage(transporterror.Text(err)), IsUnreached(err)
		if host := transporterror.Host(err); host != "" {
			a.Err = host + ": " + a.Err
		}
	}
	if reported, ok := errors.AsType[*gemini.Error](err); ok {
		a.Wait = reported.RetryAfter
	}
	t.call.OnAttempt(a)
}

// IsUnreached reports whether no connection to the server was made.
func IsUnreached(err error) bool {
	failed, ok := errors.AsType[*net.OpError](err)
	return ok && failed.Op == "dial" && !errors.Is(err, context.Canceled)
}

// statusOf returns the status of the answer.
func statusOf(err error) int {
	if err == nil {
		return 200
	}
	if _, hasAnswered := errors.AsType[*UnusableError](err); hasAnswered {
		return 200
	}
	if reported, ok := errors.AsType[*gemini.Error](err); ok {
		return reported.HTTPStatus
	}
	if failed, ok := errors.AsType[*gemini.CallError](err); ok {
		return failed.HTTPStatus
	}
	return 0
}
