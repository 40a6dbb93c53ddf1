package measurement

import (
	"fmt"
	"sync"
	"time"

	"github.com/gemwire/gemwire/test/load/internal/generator"
	"github.com/gemwire/gemwire/test/load/internal/intermediary"
	"github.com/gemwire/gemwire/test/load/internal/process"
	"github.com/gemwire/gemwire/test/load/internal/upstream"
)

// openStreams is how many streams are open at once.
const openStreams = 1000

// measureOpenStreams measures the memory of many streams that are open at once, with a chunk each
// 10 ms.
func (p *Plan) measureOpenStreams() (*Table, error) {
	ws, err := p.open("memory", intermediary.NameHop, intermediary.NameReverseProxy,
		intermediary.NameGateway, intermediary.NameGenAIProxy)
	if err != nil {
		return nil, err
	}
	defer ws.close()
	t := &Table{
		title: fmt.Sprintf("Resident memory with %d open streams, a chunk each 10 ms",
			openStreams),
		columns: []string{"way", "before", "highest", "chunks a second"},
	}
	highest := map[string]int64{}
	for _, w := range ws.all {
		before, err := w.process.Resident()
		if err != nil {
			return nil, err
		}
		result, samples, err := p.hold(w)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", w.name, err)
		}
		highest[w.name] = samples.highest(0, 1)
		t.row(w.name, megabytes(before), megabytes(highest[w.name]),
			fmt.Sprintf("%.0f", float64(result.Marks)/result.Elapsed.Seconds()))
	}
	t.flaws(ws)
	gateway, hop := highest[intermediary.NameGateway], highest[intermediary.NameHop]
	ratio := float64(gateway) / float64(hop)
	t.promise(ratio <= aim, "%s, %.2f times the %s of the hop, at most %.1f", megabytes(gateway),
		ratio, megabytes(hop), aim)
	return t, nil
}

// hold keeps streams open, and looks at the memory meanwhile.
func (p *Plan) hold(w *way) (*generator.Result, samples, error) {
	stream := asks{Wanted: upstream.Wanted{Chunks: p.scaled(500), Pause: 10 * time.Millisecond},
		streams: true, size: 1024}
	load := generator.Load{
		Address: w.address, Requests: []generator.Request{w.request(stream)}, Count: openStreams,
		Connections: openStreams, Limit: limit,
	}
	stop := sample(w.process)
	result, err := load.Run()
	samples := stop()
	if err == nil {
		err = w.check(result)
	}
	return result, samples, err
}

// samples are the memory of a process at equal intervals.
type samples []int64

// highest returns the highest between two parts of the time, such as 0.25 and 0.5.
func (s samples) highest(from, to float64) int64 {
	var out int64
	for _, value := range s[int(from*float64(len(s))):int(to*float64(len(s)))] {
		out = max(out, value)
	}
	return out
}

// sample looks at the memory of a process each 50 ms, until stop is called.
func sample(c *process.Child) (stop func() samples) {
	var out samples
	done := make(chan struct{})
	var looking sync.WaitGroup
	looking.Go(func() {
		ticker := time.NewTicker(50 * time.Millisecond)
		defer ticker.Stop()
		for {
			if resident, err := c.Resident(); err == nil {
				out = append(out, resident)
			}
			select {
			case <-ticker.C:
			case <-done:
				return
			}
		}
	})
	return func() samples {
		close(done)
		looking.Wait()
		return out
	}
}
