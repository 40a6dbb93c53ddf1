// Package retry decides whether and when a call is retried. The gateway's pauses of accounts are in
// server/gateway/internal/upstream.
package retry

import (
	"cmp"
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/gemwire/gemwire/pkg/gemini/internal/transport"
)

// Policy sets how often a call is attempted and the waits between attempts.
type Policy struct {
	// MaxAttempts is the number of attempts, including the first.
	MaxAttempts int
	// Base is the longest wait after the first attempt. It doubles with each further one, up to
	// Cap.
	Base, Cap time.Duration
	// MaxServerWait is the longest wait that a server may ask for. If it asks for more, the call
	// fails.
	MaxServerWait time.Duration
	// Random returns a number in [0, 1).
	Random func() float64
	// Now returns the time. Sleep waits, or returns the error of the context if that ends first.
	Now   func() time.Time
	Sleep func(ctx context.Context, wait time.Duration) error
}

// Verdict says whether a failed attempt is retried.
type Verdict struct {
	// Again is true if the same attempt may succeed later.
	Again bool
	// AtOnce is true if an attempt may succeed now by other means, such as another key. Such an
	// attempt does not count.
	AtOnce bool
	// Wait is how long the server asked to wait, or 0.
	Wait time.Duration
}

// Run makes attempts, counted from 1, until one succeeds or a retry cannot help. It returns the
// error of the last attempt. If the context ends during a wait, its error is joined.
func (p *Policy) Run(ctx context.Context, budget *Budget,
	attempt func(number int) (Verdict, error)) error {
	counted := 1
	for number := 1; ; number++ {
		verdict, err := attempt(number)
		if err == nil {
			budget.deposit()
			return nil
		}
		if verdict.AtOnce && ctx.Err() == nil {
			continue
		}
		wait, ok := p.next(ctx, counted, verdict)
		if !ok || !budget.withdraw() {
			return err
		}
		if ended := p.Sleep(ctx, wait); ended != nil {
			return waitError(ctx, ended, err)
		}
		counted++
	}
}

// waitError returns the error of a wait that ended early, after the error of an attempt. It is not
// inlined, because it needs stack that the attempts do not need.
//
//go:noinline
func waitError(ctx context.Context, ended, err error) error {
	return fmt.Errorf("%w, while waiting to retry after: %w",
		cmp.Or(transport.Ended(ctx), ended), err)
}

// next returns the wait after an attempt, and whether another attempt follows.
func (p *Policy) next(ctx context.Context, attempt int, verdict Verdict) (time.Duration, bool) {
	if !verdict.Again || attempt >= p.MaxAttempts || ctx.Err() != nil ||
		verdict.Wait > p.MaxServerWait {
		return 0, false
	}
	wait := verdict.Wait
	if wait <= 0 {
		wait = p.backoff(attempt)
	}
	deadline, ok := ctx.Deadline()
	return wait, !ok || p.Now().Add(wait).Before(deadline)
}

// backoff returns a random wait up to a limit that grows with the attempts ("full jitter"), so that
// clients that failed together do not retry together.
func (p *Policy) backoff(attempt int) time.Duration {
	limit := p.Cap
	if attempt <= 30 && p.Base <= p.Cap>>(attempt-1) {
		limit = p.Base << (attempt - 1)
	}
	return time.Duration(p.Random() * float64(limit))
}

// Budget limits the retries of all calls of a client, so that many clients do not multiply the load
// on a failing server. It is safe for use by several goroutines. A nil budget has no limit.
type Budget struct {
	mu     sync.Mutex
	tokens float64
	max    float64
	ratio  float64
}

// NewBudget returns a full budget with the given number of retries. Each call that succeeds adds
// ratio.
func NewBudget(retries int, ratio float64) *Budget {
	return &Budget{tokens: float64(retries), max: float64(retries), ratio: ratio}
}

func (b *Budget) deposit() {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.tokens = min(b.tokens+b.ratio, b.max)
}

// withdraw takes one retry from the budget, and returns false if the budget is empty.
func (b *Budget) withdraw() bool {
	if b == nil {
		return true
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.tokens < 1 {
		return false
	}
	b.tokens--
	return true
}
