package heapgrowth_test

import (
	"runtime"
	"runtime/debug"
	"testing"
	"time"

	"github.com/gemwire/gemwire/internal/heapgrowth"
	"go.uber.org/goleak"
)

// percentNow returns the percentage of the collector.
func percentNow() int {
	percent := debug.SetGCPercent(100)
	debug.SetGCPercent(percent)
	return percent
}

// The tests here set the percentage of the whole process, so they do not run in parallel with
// others.

func TestTheHeapGrowsByAtLeastTheRoom(t *testing.T) {
	t.Setenv("GOGC", "")
	before := percentNow()
	stop := heapgrowth.Keep(heapgrowth.Server)
	defer stop()
	collections := func() uint32 {
		var stats runtime.MemStats
		runtime.ReadMemStats(&stats)
		return stats.NumGC
	}
	runtime.GC()
	start := collections()
	for range heapgrowth.Server >> 10 {
		garbage = make([]byte, 1<<9)
	}
	if n := collections() - start; n > 1 {
		t.Errorf("%d collections for half of the growth", n)
	}
	stop()
	if percentNow() != before {
		t.Errorf("the percentage is %d, not the %d from before", percentNow(), before)
	}
}

var garbage []byte

func TestALargeHeapGrowsByAnEighth(t *testing.T) {
	t.Setenv("GOGC", "")
	defer goleak.VerifyNone(t)
	stop := heapgrowth.Keep(heapgrowth.Server)
	defer stop()
	large := make([]byte, 8*heapgrowth.Server)
	runtime.GC()
	for range 100 { // a machine under load takes its time
		if percentNow() == 12 {
			break
		}
		time.Sleep(heapgrowth.Period)
	}
	if percent := percentNow(); percent != 12 {
		t.Errorf("the heap may grow by %d percent", percent)
	}
	runtime.KeepAlive(large)
}

func TestAHeapLargerThanTheRoomGrowsByHalfOfIt(t *testing.T) {
	t.Setenv("GOGC", "")
	defer goleak.VerifyNone(t)
	large := make([]byte, 2*heapgrowth.Server)
	runtime.GC()
	stop := heapgrowth.Keep(heapgrowth.Server)
	defer stop()
	// nearly a quarter of twice the growth
	if percent := percentNow(); percent < 20 || percent > 26 {
		t.Errorf("the heap may grow by %d percent", percent)
	}
	runtime.KeepAlive(large)
}

func TestAHeapOfOpenStreamsGrowsByAThirdOfTheRoom(t *testing.T) {
	t.Setenv("GOGC", "")
	defer goleak.VerifyNone(t)
	large := make([]byte, 5*heapgrowth.Server/2)
	runtime.GC()
	stop := heapgrowth.Keep(heapgrowth.Server)
	defer stop()
	// a third of two and a half times the growth, of which stacks and variables are a little
	if percent := percentNow(); percent < 12 || percent > 14 {
		t.Errorf("the heap may grow by %d percent", percent)
	}
	runtime.KeepAlive(large)
}

func TestThePercentageOfTheEnvironmentCounts(t *testing.T) {
	t.Setenv("GOGC", "70")
	before := percentNow()
	defer heapgrowth.Keep(heapgrowth.Server)()
	if percentNow() != before {
		t.Errorf("the percentage is %d, not %d", percentNow(), before)
	}
}
