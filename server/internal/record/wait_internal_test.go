package record

import (
	"testing"
	"time"
)

func TestTheWaitAfterConflictsDoublesUpToATenthOfASecond(t *testing.T) {
	t.Parallel()
	wait := time.Millisecond
	for _, want := range []time.Duration{2, 4, 8, 16, 32, 64, 100, 100} {
		if wait = longer(wait); wait != want*time.Millisecond {
			t.Errorf("%v, want %d ms", wait, want)
		}
	}
}
