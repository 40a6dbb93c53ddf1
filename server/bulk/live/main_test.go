package live_test

import (
	"testing"

	"go.uber.org/goleak"
)

// TestMain sees to it that no goroutine outlives its item.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
