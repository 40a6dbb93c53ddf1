package upstream

import (
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/gemwire/gemwire/pkg/gemini"
)

// maxBuckets is the maximum number of paused quotas. Model names come from clients.
const maxBuckets = 4096

// Pool holds accounts. It is safe for concurrent use.
type Pool struct {
	now      func() time.Time
	accounts []*Account
	*memory
	// the account that answered last; its project may have the start of a conversation in its cache
	current int
}

// memory has the known state of quotas. Successive pools share it, because requests of the previous
// pool may still be in flight. Its lock also protects their accounts.
type memory struct {
	mu      sync.Mutex
	buckets map[bucketKey]*bucket
}

// NewPool returns a pool of accounts. At least one account is required.
func NewPool(accounts []*Account, now func() time.Time) *Pool {
	return &Pool{accounts: accounts, now: now, memory: &memory{buckets: map[bucketKey]*bucket{}}}
}

// Inherit takes over the paused quotas from a pool of the same server. It must be called before the
// pool is used. Refused keys are tried again, because changed settings may have fixed them.
func (p *Pool) Inherit(old *Pool) {
	p.memory = old.memory
	p.mu.Lock()
	defer p.mu.Unlock()
	last := old.accounts[old.current].Quota
	p.current = max(slices.IndexFunc(p.accounts, func(a *Account) bool { return a.Quota == last }),
		0)
}

// First returns the first account, which owns the stored resources: files, caches, batches.
func (p *Pool) First() *Account { return p.accounts[0] }

// RestError reports that all accounts are paused.
type RestError struct {
	// Wait is the time until the first pause ends. Until is its end.
	Wait  time.Duration
	Until time.Time
	// Account is the project of that account. Err is the server's error for it, and By is the id of
	// the request that got the error.
	Account string
	Err     error
	By      string
}

// Error returns the cause.
func (e *RestError) Error() string { return "all accounts are paused: " + e.Err.Error() }

// Named returns the first account with a name, or nil.
func (p *Pool) Named(project string) *Account {
	for _, account := range p.accounts {
		if account.Project == project {
			return account
		}
	}
	return nil
}

// Names returns the names of the accounts, each once.
func (p *Pool) Names() (out []string) {
	for _, account := range p.accounts {
		if !slices.Contains(out, account.Project) {
			out = append(out, account.Project)
		}
	}
	return out
}

// Unwrap returns Err.
func (e *RestError) Unwrap() error { return e.Err }

// take returns an account for a method of a model, without those that were tried. The error is a
// *[RestError], or nil if all accounts were tried.
func (p *Pool) take(to target, tried []*Account) (*Account, error) {
	now := p.now()
	p.mu.Lock()
	defer p.mu.Unlock()
	var other *Account
	var resting *RestError
	for i := range p.accounts {
		at := (p.current + i) % len(p.accounts)
		account := p.accounts[at]
		if slices.Contains(tried, account) {
			continue
		}
		refused := account.targets[to]
		if account.whole.use(now) == never {
			refused = &account.whole
		}
		if refused.use(now) == never {
			resting = sooner(resting, refused.cause.rest(account, refused.until, now))
			continue
		}
		b := p.buckets[bucketKey{account.Quota, to.model}]
		switch min(b.use(now), refused.use(now)) {
		case best:
			if b != nil {
				b.isProbed = true
			}
			return account, nil
		case ifNoOther:
			if other == nil {
				other = account
			}
		case never:
			resting = sooner(resting, b.cause.rest(account, b.until, now))
		}
	}
	if other == nil && resting != nil {
		return nil, resting
	}
	return other, nil
}

// sooner returns the pause that ends first.
func sooner(resting, other *RestError) *RestError {
	if resting != nil && resting.Wait <= other.Wait {
		return resting
	}
	return other
}

// cause is why a pause began: the server's error, and the id of the request that got it.
type cause struct {
	why error
	by  string
}

// rest returns the error of an account that is paused until a time.
func (c cause) rest(account *Account, until, now time.Time) *RestError {
	return &RestError{Wait: until.Sub(now), Until: until, Account: account.Project, Err: c.why,
		By: c.by}
}

// good records that an account has answered.
func (p *Pool) good(account *Account, to target) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.accounts) > 1 {
		p.current = max(slices.Index(p.accounts, account), 0)
	}
	account.answered(to)
	delete(p.buckets, bucketKey{account.Quota, to.model})
}

// failed records why an account has not answered a request with an id.
func (p *Pool) failed(account *Account, to target, err error, id string) {
	reported, isReported := errors.AsType[*gemini.Error](err)
	now := p.now()
	p.mu.Lock()
	defer p.mu.Unlock()
	key := bucketKey{account.Quota, to.model}
	b := p.buckets[key]
	if isReported && reported.Category() == gemini.CategoryRateLimit {
		if b == nil {
			b = p.newBucket(key, now)
		}
		b.rest(reported, id, now)
		return
	}
	if isReported {
		account.refused(reported, to, id, now)
	}
	if b != nil {
		b.isProbed = false
	}
}

// newBucket returns a bucket and makes room for it if needed. Without room, or for an invalid model
// name, nothing is remembered.
func (p *Pool) newBucket(key bucketKey, now time.Time) *bucket {
	if len(p.buckets) >= maxBuckets {
		for other, b := range p.buckets {
			if !b.until.After(now) {
				delete(p.buckets, other)
			}
		}
	}
	b := &bucket{}
	if len(p.buckets) < maxBuckets && len(key.model) <= longestName {
		p.buckets[key] = b
	}
	return b
}
