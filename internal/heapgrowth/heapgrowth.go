// Package heapgrowth sets how much the heap of a server may grow between two garbage collections.
//
// By default the heap grows by its live bytes, and at least by 4 MB. A server whose requests keep
// nothing has a small heap. It collects the heap many times a second, each time with the stacks of
// all its connections. A server with many open streams has a large heap and doubles it. With this
// package, a small heap grows by a given number of bytes. A heap with more live bytes grows by
// less, down to a third of that number, because it consists mostly of open streams, whose chunks
// make little garbage. It grows by an eighth of the live bytes if that is more.
package heapgrowth

import (
	"os"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"time"
)

// The minimum growth of the heap in bytes.
const (
	// Server is for servers, which keep nothing of their requests.
	Server = 24 << 20
	// Job is for a process that runs a job as fast as possible. It collects less often, and stays
	// below 200 MB.
	Job = 40 << 20
)

// Period is the time between two checks of the live bytes. The collector does not signal its end. A
// cleanup function runs after a collection, but under load it runs late. By then most of the growth
// that was meant for a smaller heap is used.
const Period = 50 * time.Millisecond

// share is the growth of a large heap, in percent of the live bytes.
const share = 12

// keeper sets the percentage of the collector after each collection.
type keeper struct {
	least   uint64
	samples []metrics.Sample
	cycles  uint64
	percent int
}

// Keep sets the percentage of the collector for a heap that grows by at least the given number of
// bytes. It sets the percentage now and, in a goroutine, after each collection, until stop is
// called. If the environment has GOGC, Keep does nothing. It does not change a memory limit such as
// GOMEMLIMIT.
func Keep(least uint64) (stop func()) {
	if os.Getenv("GOGC") != "" {
		return func() {}
	}
	k := &keeper{least: least, samples: []metrics.Sample{
		{Name: "/gc/cycles/total:gc-cycles"},
		{Name: "/gc/heap/live:bytes"}, {Name: "/gc/scan/stack:bytes"},
		{Name: "/gc/scan/globals:bytes"},
	}}
	k.percent = k.percentOf(k.scanned())
	before := debug.SetGCPercent(k.percent)
	done := make(chan struct{})
	var watching sync.WaitGroup
	watching.Go(func() { k.watch(done) })
	return sync.OnceFunc(func() {
		close(done)
		watching.Wait()
		debug.SetGCPercent(before)
	})
}

// watch adjusts the percentage until done.
func (k *keeper) watch(done <-chan struct{}) {
	ticker := time.NewTicker(Period)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			k.adjust()
		case <-done:
			return
		}
	}
}

// adjust sets the percentage after a collection. It keeps a percentage that is nearly right,
// because a change stops the world for a moment.
func (k *keeper) adjust() {
	before := k.cycles
	bytes := k.scanned()
	if k.cycles == before {
		return
	}
	percent := k.percentOf(bytes)
	if difference := percent - k.percent; difference*10 > k.percent || -difference*10 > k.percent {
		k.percent = percent
		debug.SetGCPercent(percent)
	}
}

// scanned returns the bytes that the percentage applies to: the live heap, stacks and variables. It
// also notes the number of collections.
func (k *keeper) scanned() (bytes uint64) {
	metrics.Read(k.samples)
	for i, sample := range k.samples {
		switch {
		case sample.Value.Kind() != metrics.KindUint64:
		case i == 0:
			k.cycles = sample.Value.Uint64()
		default:
			bytes += sample.Value.Uint64()
		}
	}
	return bytes
}

// percentOf returns by how many percent a heap with the given number of bytes grows.
func (k *keeper) percentOf(bytes uint64) int {
	const smallest = 4 << 20 // the runtime lets a smaller heap grow as if it were that large
	growth := k.least
	if bytes > k.least {
		growth -= min((bytes-k.least)/2, k.least/3*2)
	}
	return max(share, int(100*growth/max(bytes, smallest)))
}
