package measurement

import (
	"fmt"
	"time"

	"github.com/gemwire/gemwire/test/load/internal/generator"
	"github.com/gemwire/gemwire/test/load/internal/intermediary"
	"github.com/gemwire/gemwire/test/load/internal/upstream"
)

// What is promised of times that are added.
const (
	addedMedian = 100 * time.Microsecond
	addedP99    = 1500 * time.Microsecond
	addedFirst  = 150 * time.Microsecond
)

// measureWhole measures calls of 1 KB that are due at half the rate at which the gateway is saturated.
func (p *Plan) measureWhole() (*Table, error) {
	saturation, err := p.gatewaysSaturation()
	if err != nil {
		return nil, err
	}
	rate := saturation / 2
	t := &Table{title: fmt.Sprintf("Whole calls of 1 KB each way, %.0f due in a second, half of the gateway's saturation", rate)}
	times, err := p.latencies(t, "whole", kilobyte, rate, func(r *generator.Result) generator.Durations { return r.Latency })
	if err != nil {
		return nil, err
	}
	t.promise(times.added(0) <= addedMedian, "p50 is %s above direct, at most %s", micros(times.added(0)), micros(addedMedian))
	t.promise(times.added(2) <= addedP99, "p99 is %s above direct, at most %s", micros(times.added(2)), micros(addedP99))
	return t, nil
}

// streamsPerSecond are those of which the first chunk is measured.
const streamsPerSecond = 200

// measureFirstChunk measures how long the first chunk of a stream takes.
func (p *Plan) measureFirstChunk() (*Table, error) {
	stream := asks{Wanted: upstream.Wanted{Chunks: 5, Pause: 10 * time.Millisecond}, streams: true, size: 1024}
	t := &Table{title: fmt.Sprintf("First chunk of streams of %d chunks, %s apart, %d due in a second", stream.Chunks, stream.Pause, streamsPerSecond)}
	times, err := p.latencies(t, "first", stream, streamsPerSecond, func(r *generator.Result) generator.Durations { return r.First })
	if err != nil {
		return nil, err
	}
	t.promise(times.added(0) <= addedFirst, "p50 is %s above direct, at most %s", micros(times.added(0)), micros(addedFirst))
	return t, nil
}

// quantiles are those of the tables; the last is the longest.
var quantiles = []float64{0.5, 0.9, 0.99, 1}

// latencies are the quantiles of each round of each way.
type latencies map[string][][]time.Duration

// added returns how much longer a quantile is by the gateway than directly. Rounds are compared with themselves, so that
// what the machine does besides meets both sides.
func (l latencies) added(quantile int) time.Duration {
	var differences []time.Duration
	for round := range l[direct] {
		differences = append(differences, l[intermediary.NameGateway][round][quantile]-l[direct][round][quantile])
	}
	return median(differences)
}

// latencies measures a request on each way at a rate.
func (p *Plan) latencies(t *Table, name string, a asks, rate float64, of func(*generator.Result) generator.Durations) (latencies, error) {
	ws, err := p.open(name, direct, intermediary.NameHop, intermediary.NameReverseProxy, intermediary.NameGateway)
	if err != nil {
		return nil, err
	}
	defer ws.close()
	times := latencies{}
	var late []time.Duration // median of how late the generator itself was
	err = ws.inTurns(func(w *way, round int) error {
		load := generator.Load{
			Address: w.address, Requests: []generator.Request{w.request(a)},
			Rate: rate, Count: max(int(rate*p.span(3*time.Second).Seconds()), 10), Connections: 256, Limit: limit,
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
