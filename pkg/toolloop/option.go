package toolloop

import (
	"time"
)

// Option changes how a [Loop] works. A nil one does nothing.
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

// WithMaxSteps sets after how many answers of the model a run has failed with a [LimitError] if the
// last of them still calls a function; the default, which is also that of a number below 1, is 20.
func WithMaxSteps(n int) Option {
	return func(o *options) {
		o.maxSteps = n
		if n < 1 {
			o.maxSteps = defaultMaxSteps
		}
	}
}

// WithParallelCalls sets how many calls of one answer run at the same time; the default is 8. With
// 1 they run in their order, one after the other.
func WithParallelCalls(n int) Option { return func(o *options) { o.parallel = max(n, 1) } }

// WithTimeout limits a run as a whole. By default, and with 0 or less, only its context does.
// [gemini.WithTimeout], as an option of [Loop.Run], limits each request of it. At the limit the
// context of the tools that run ends, and the run fails with an [InterruptedError], which names the
// tools that have not returned.
func WithTimeout(limit time.Duration) Option { return func(o *options) { o.timeout = limit } }

// WithToolTimeout limits each call of a tool, whose context ends then. A tool that has no result by
// then has one that tells the model so, and the run goes on, whether the tool returns or not. One
// that does not is left to itself, and counts no more for [WithParallelCalls]. By default, and with
// 0 or less, only the run's own limit holds.
func WithToolTimeout(limit time.Duration) Option { return func(o *options) { o.toolTimeout = limit } }

// WithStep calls a function after each step, also after one that ends the run in an error. An error
// of the function ends the run, which returns it, wrapped. A nil function is not called.
func WithStep(onStep func(Step) error) Option { return func(o *options) { o.onStep = onStep } }
