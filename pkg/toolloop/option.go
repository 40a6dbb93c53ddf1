package toolloop

import (
	"time"
)

// Option changes how a [Loop] works. A nil Option does nothing.
type Option func(*options)

type options struct {
	maxSteps    int
	parallel    int
	timeout     time.Duration
	toolTimeout time.Duration
	onStep      func(Step) error
}

// The defaults.
const (
	defaultMaxSteps = 20
	defaultParallel = 8
)

// WithMaxSteps sets the maximum number of answers of the model (default 20, also for numbers below
// 1). If the last of them still calls a function, the run fails with a [LimitError].
func WithMaxSteps(n int) Option {
	return func(o *options) {
		o.maxSteps = n
		if n < 1 {
			o.maxSteps = defaultMaxSteps
		}
	}
}

// WithParallelCalls sets how many calls of one answer run concurrently (default 8). With 1 they run
// in order, one after the other.
func WithParallelCalls(n int) Option { return func(o *options) { o.parallel = max(n, 1) } }

// WithTimeout sets the time limit of a run. By default, and with 0 or less, only the context limits
// it. To limit each request, pass [gemini.WithTimeout] to [Loop.Run]. At the limit the contexts of
// running tools end, and the run fails with an [InterruptedError], which names the tools that have
// not returned.
func WithTimeout(limit time.Duration) Option { return func(o *options) { o.timeout = limit } }

// WithToolTimeout sets the time limit of each call of a tool. At the limit the tool's context ends,
// the model gets the result that there is no result, and the run continues. A tool that does not
// return is abandoned, and no longer counts for [WithParallelCalls]. By default, and with 0 or
// less, only the run's own limit applies.
func WithToolTimeout(limit time.Duration) Option { return func(o *options) { o.toolTimeout = limit } }

// WithStep calls a function after each step, also after a step that ends the run with an error. If
// the function returns an error, the run ends and returns it, wrapped. A nil function is not
// called.
func WithStep(onStep func(Step) error) Option { return func(o *options) { o.onStep = onStep } }
