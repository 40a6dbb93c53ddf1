package live_test

import (
	"testing"

	"go.uber.org/goleak"
)

// TestMain checks that no goroutine outlives its item.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
