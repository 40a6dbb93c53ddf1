package geminibatch_test

import (
	"testing"

	"github.com/gemwire/gemwire/pkg/normalize"
	"go.uber.org/goleak"
)

// TestMain checks that no goroutine outlives its range.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func usageOf(in, out int) normalize.Usage {
	return normalize.Usage{InputTokens: in, OutputTokens: out, TotalTokens: in + out}
}
