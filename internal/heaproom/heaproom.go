// Package heaproom says how far the heap of a server grows between two collections.
//
// By default that is by as much as lives, and at least 4 MB. A server whose requests leave nothing behind has a small heap
// and collects it many times a second, each time with the stacks of all its connections; one with many open streams has a
// large heap and doubles it. Here it grows by [Least] where that is more than half of what lives, and else by the half.
package heaproom

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
)

// Least is by how many bytes the heap grows at least.
const Least = 24 << 20

// share is which part of what lives the heap grows by where that is more, in percent.
const share = 50

// keeper sets the percentage of the collector behind each collection.
type keeper struct {
	samples []metrics.Sample
	percent int
	isDone  atomic.Bool
}

// Keep sets the percentage of the collector, now and behind each collection, until stop is called. Where the environment
// has GOGC it does nothing. A limit of memory, as by GOMEMLIMIT, is kept as before.
func Keep() (stop func()) {
	if os.Getenv("GOGC") != "" {
		return func() {}
	}
	k := &keeper{samples: []metrics.Sample{
		{Name: "/gc/heap/live:bytes"}, {Name: "/gc/scan/stack:bytes"}, {Name: "/gc/scan/globals:bytes"},
	}}
	k.percent = percentOf(k.scanned())
	before := debug.SetGCPercent(k.percent)
	k.watch()
	return func() {
		if !k.isDone.Swap(true) {
			debug.SetGCPercent(before)
		}
	}
}

// watch calls adjust behind the next collection, which the mark does not outlive.
func (k *keeper) watch() {
	type mark struct{ _ *mark } // with a pointer, so that it has memory of its own
	runtime.AddCleanup(new(mark), (*keeper).adjust, k)
}

// adjust sets the percentage, unless it is nearly the same: setting it stops the world for a moment.
func (k *keeper) adjust() {
	if k.isDone.Load() {
		return
	}
	percent := percentOf(k.scanned())
	if difference := percent - k.percent; difference*10 > k.percent || -difference*10 > k.percent {
		k.percent = percent
		debug.SetGCPercent(percent)
	}
	k.watch()
}

// scanned returns the bytes that the percentage is of: the heap that lives, stacks and variables.
func (k *keeper) scanned() uint64 {
	metrics.Read(k.samples)
	var out uint64
	for _, sample := range k.samples {
		if sample.Value.Kind() == metrics.KindUint64 {
			out += sample.Value.Uint64()
		}
	}
	return out
}

// percentOf returns by how many percent of so many bytes the heap grows.
func percentOf(bytes uint64) int {
	const smallest = 1 << 20 // before the first collection nothing is known to live
	return max(share, int(100*Least/max(bytes, smallest)))
}
