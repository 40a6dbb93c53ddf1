package measurement

import (
	"fmt"
	"time"

	"github.com/gemwire/gemwire/test/load/internal/generator"
	"github.com/gemwire/gemwire/test/load/internal/intermediary"
	"github.com/gemwire/gemwire/test/load/internal/upstream"
)

// aim is how many times as much as the hop the gateway may take, of time and of memory. The hop is
// measured in the same run, so the aim is the same on every machine.
const aim = 1.5

// wholePerSecond is the number of whole calls that are due in a second, unless that is more than a
// quarter of the gateway's saturation. Above that, requests mostly wait for a processor.
const wholePerSecond = 2000

// measureWhole measures calls of 1 KB at a rate that leaves processors free.
func (p *Plan) measureWhole() (*Table, error) {
	saturation, err := p.gatewaysSaturation()
	if err != nil {
		return nil, err
	}
	rate := min(wholePerSecond, saturation/4)
	t := &Table{title: fmt.Sprintf("Whole calls of 1 KB each way, %.0f due in a second, %s of the gateway's saturation",
		rate, percent(rate, saturation))}
	times, err := p.latencies(t, "whole", kilobyte, rate,
		func(r *generator.Result) generator.Durations { return r.Latency })
	if err != nil {
		return nil, err
	}
	for _, q := range []int{0, 2} {
		t.promise(times.ofHop(q) <= aim, "p%.0f is %.2f times the hop's, at most %.1f",
			100*quantiles[q], times.ofHop(q), aim)
	}
	return t, nil
}

// streamsPerSecond is the rate of the streams whose first chunk is measured.
const streamsPerSecond = 200

// measureFirstChunk measures how long the first chunk of a stream takes.
func (p *Plan) measureFirstChunk() (*Table, error) {
	stream := asks{Wanted: upstream.Wanted{Chunks: 5, Pause: 10 * time.Millisecond}, streams: true,
		size: 1024}
	t := &Table{title: fmt.Sprintf("First chunk of streams of %d chunks, %s apart, %d due in a second",
		stream.Chunks, stream.Pause, streamsPerSecond)}
	times, err := p.latencies(t, "first", stream, streamsPerSecond,
		func(r *generator.Result) generator.Durations { return r.First })
	if err != nil {
		return nil, err
	}
	t.promise(times.ofHop(0) <= aim, "p50 is %.2f times the hop's, at most %.1f", times.ofHop(0),
		aim)
	return t, nil
}

// quantiles are the quantiles in the tables; the last is the maximum.
var quantiles = []float64{0.5, 0.9, 0.99, 1}

// latencies are the quantiles of each round of each way.
type latencies map[string][][]time.Duration

// ofHop returns how many times the hop's a quantile of the gateway is. Rounds are compared with
// themselves, because what the machine does besides meets both sides.
func (l latencies) ofHop(quantile int) float64 {
	var ratios []float64
	for round, times := range l[intermediary.NameHop] {
		ratios = append(ratios,
			float64(l[intermediary.NameGateway][round][quantile])/float64(times[quantile]))
	}
	return median(ratios)
}

// latencies measures a request on each way at a rate.
func (p *Plan) latencies(t *Table, name string, a asks, rate float64,
	of func(*generator.Result) generator.Durations) (latencies, error) {
	ws, err := p.open(name, direct, intermediary.NameHop, intermediary.NameReverseProxy,
		intermediary.NameGateway)
	if err != nil {
		return nil, err
	}
	defer ws.close()
	times := latencies{}
	var late []time.Duration // median of how late the generator itself was
	err = ws.inTurns(func(w *way, round int) error {
		load := generator.Load{
			Address: w.address, Requests: []generator.Request{w.request(a)},
			Rate: rate, Count: max(int(rate*p.span(3*time.Second).Seconds()), 10), Connections: 256,
			Limit: limit,
		}
		result, err := load.Run()
		if err != nil {
			return err
		}
		if round < 0 {
			return w.check(result)
		}
		late = append(late, result.Late.Quantile(0.5))
		var measured []time.Duration
		for _, q := range quantiles {
			measured = append(measured, of(result).Quantile(q))
		}
		times[w.name] = append(times[w.name], measured)
		return w.check(result)
	})
	if err != nil {
		return nil, err
	}
	t.title += fmt.Sprintf("; the generator was %s late", micros(median(late)))
	t.columns = []string{"way", "p50", "p90", "p99", "longest"}
	for _, w := range ws.all {
		cells := []string{w.name}
		for i := range quantiles {
			var values []time.Duration
			for _, measured := range times[w.name] {
				values = append(values, measured[i])
			}
			cells = append(cells, micros(median(values)))
		}
		t.row(cells...)
	}
	t.flaws(ws)
	return times, nil
}
