package bench_test

import (
	"io"
	"testing"
	"time"
)

// turn is how long one side of a comparison runs before it is the other's turn: long enough that
// neither is measured in the caches of the other, and short enough that both see the same phases of
// a machine. It is the same for both, so that what else runs on the machine interrupts both alike.
const turn = 10 * time.Millisecond

// BenchmarkStream gives each tool the same streams. x-gemwire-http is the tool's time divided by
// the time of gemwire-http. Both run alternately. The ratio of gemwire-http itself shows the noise.
func BenchmarkStream(b *testing.B) {
	for _, shape := range shapes {
		body, _ := shape.geminiStream()
		for _, tool := range tools {
			b.Run(shape.name+"/"+tool.name, func(b *testing.B) {
				b.ReportAllocs()
				compare(b, tool.prepare(b, body),
					&rival{unit: "x-" + reference, run: toolNamed(b, reference).prepare(b, body)})
			})
		}
	}
}

// rival is the basis of a comparison, and the unit of the ratio.
type rival struct {
	unit string
	run  exchange
	pace pace
}

// compare measures run, and its rivals in turns with it.
func compare(b *testing.B, run exchange, rivals ...*rival) {
	var ours pace
	runs, start := 0, time.Now()
	for b.Loop() {
		check(b, run(b.Context(), io.Discard))
		runs++
		took := time.Since(start)
		if took < turn {
			continue
		}
		b.StopTimer() // takes time itself, which belongs to no tool
		ours.add(runs, took)
		for _, r := range rivals {
			r.pace.add(takeTurn(b, r.run))
		}
		b.StartTimer()
		runs, start = 0, time.Now()
	}
	// A last turn that did not become full is left out.
	if ours.runs == 0 {
		return
	}
	for _, r := range rivals {
		b.ReportMetric(ours.perRun()/r.pace.perRun(), r.unit)
	}
}

func takeTurn(b *testing.B, run exchange) (runs int, took time.Duration) {
	start := time.Now()
	for took < turn {
		check(b, run(b.Context(), io.Discard))
		runs++
		took = time.Since(start)
	}
	return runs, took
}

// pace is how fast one side of a comparison was in all its turns.
type pace struct {
	runs int
	took time.Duration
}

func (p *pace) add(runs int, took time.Duration) {
	p.runs += runs
	p.took += took
}

func (p *pace) perRun() float64 { return float64(p.took) / float64(p.runs) }
