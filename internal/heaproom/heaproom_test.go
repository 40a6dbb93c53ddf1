package heaproom_test

import (
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/gemwire/gemwire/internal/heaproom"
)

// percentNow returns the percentage of the collector.
func percentNow() int {
	percent := debug.SetGCPercent(100)
	debug.SetGCPercent(percent)
	return percent
}

// The tests here set the percentage of the whole process, so they do not run beside others.

func TestTheHeapGrowsByAtLeastTheRoom(t *testing.T) {
	before := percentNow()
	stop := heaproom.Keep()
	defer stop()
	collections := func() uint32 {
		var stats runtime.MemStats
		runtime.ReadMemStats(&stats)
		return stats.NumGC
	}
	runtime.GC()
	start := collections()
	for range heaproom.Least >> 10 {
		garbage = make([]byte, 1<<9)
	}
	if n := collections() - start; n > 1 {
		t.Errorf("%d collections for half of the room", n)
	}
	stop()
	if percentNow() != before {
		t.Errorf("the percentage is %d, not the %d from before", percentNow(), before)
	}
}

var garbage []byte

func TestALargeHeapGrowsByItsHalf(t *testing.T) {
	t.Setenv("GOGC", "")
	defer heaproom.Keep()()
	large := make([]byte, 4*heaproom.Least)
	for range 100 { // the cleanup behind a collection is not waited for by it
		runtime.GC()
		if percentNow() == 50 {
			break
		}
	}
	if percent := percentNow(); percent != 50 {
		t.Errorf("the heap may grow by %d percent", percent)
	}
	runtime.KeepAlive(large)
}

func TestThePercentageOfTheEnvironmentCounts(t *testing.T) {
	t.Setenv("GOGC", "70")
	before := percentNow()
	defer heaproom.Keep()()
	if percentNow() != before {
		t.Errorf("the percentage is %d, not %d", percentNow(), before)
	}
}
