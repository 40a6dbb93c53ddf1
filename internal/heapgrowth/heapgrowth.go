// Package heapgrowth says how far the heap of a server grows between two collections.
//
// By default that is by as much as lives, and at least 4 MB. A server whose requests leave nothing
// behind has a small heap and collects it many times a second, each time with the stacks of all its
// connections; one with many open streams has a large heap and doubles it. Here a small heap grows
// by a given number of bytes. A heap with more live bytes than that grows by less, down to a third
// of it, because open streams, whose chunks make little garbage, are most of it. It grows by an
// eighth of the live bytes if that is more.
package heapgrowth

import (
	"os"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"time"
)

// By how many bytes the heap grows at least.
const (
	// Server is for servers, whose requests leave nothing behind.
	Server = 24 << 20
	// Job is for a process that works at a job as fast as it can: it collects less often, and stays
	// below 200 MB.
	Job = 40 << 20
)

// Period is how often is looked at what lives. The collector tells nobody when it has ended; what
// runs behind it, such as cleanups, waits under load until most of the growth is used that was
// meant for a smaller heap.
const Period = 50 * time.Millisecond

// share is which part of what lives the heap grows by where that is more, in percent.
const share = 12

// keeper sets the percentage of the collector behind each collection.
type keeper struct {
	least   uint64
	samples []metrics.Sample
	cycles  uint64
	percent int
}

// Keep sets the percentage of the collector for a heap that grows by so many bytes at least, now
// and, by a goroutine, behind each collection, until stop is called. Where the environment has GOGC
// it does nothing. A limit of memory, as by GOMEMLIMIT, is kept as before.
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

// adjust sets the percentage behind a collection, unless it is nearly the same: setting it stops
// the world for a moment.
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

// scanned returns the bytes that the percentage is of: the heap that lives, stacks and variables.
// It notes how many collections there were.
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

// percentOf returns by how many percent of so many bytes the heap grows.
func (k *keeper) percentOf(bytes uint64) int {
	const smallest = 4 << 20 // the runtime lets a smaller heap grow as if it were that large
	growth := k.least
	if bytes > k.least {
		growth -= min((bytes-k.least)/2, k.least/3*2)
	}
	return max(share, int(100*growth/max(bytes, smallest)))
}
