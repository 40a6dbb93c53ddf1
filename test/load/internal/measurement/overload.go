package measurement

import (
	"fmt"
	"time"

	"github.com/gemwire/gemwire/test/load/internal/generator"
	"github.com/gemwire/gemwire/test/load/internal/intermediary"
)

// overloadedShare is the least part of its saturation that the gateway answers when twice as much
// is asked.
const overloadedShare = 0.7

// The overloaded gateway serves servedAtOnce requests at once, and receives requests on
// overloadConnections connections.
const (
	servedAtOnce        = 64
	overloadConnections = 1024
)

// measureOverload has twice as many requests due as the gateway can answer. Each round finds out
// before and after it how many these are, from the same gateway, because the processors do not have
// as much time for it in each round.
func (p *Plan) measureOverload() (*Table, error) {
	ws, err := p.open("overload")
	if err != nil {
		return nil, err
	}
	defer ws.close()
	args := append(p.profile("overload", intermediary.NameGateway), "-concurrent",
		fmt.Sprint(servedAtOnce))
	if _, err := ws.add(intermediary.NameGateway, args...); err != nil {
		return nil, err
	}
	t := &Table{
		title: fmt.Sprintf("Twice as many whole calls due as the gateway answers at saturation, on up to %d connections; it serves %d at once",
			overloadConnections, servedAtOnce),
		columns: []string{"way", "at saturation", "answers a second", "429 a second", "other",
			"no connection free", "p50", "p99"},
	}
	var shares []float64
	others := 0
	err = ws.inTurns(func(w *way, round int) error {
		saturation, err := p.saturate(w)
		if err != nil {
			return err
		}
		r, err := p.overload(w, 2*saturation)
		if err != nil {
			return err
		}
		after, err := p.saturate(w)
		if err != nil || round < 0 {
			return err
		}
		saturation = (saturation + after) / 2
		other := r.Failures + r.Lost + r.Misplaced
		for status, count := range r.Statuses {
			if status != 200 && status != 429 {
				other += count
			}
		}
		others += other
		shares = append(shares, r.PerSecond()/saturation)
		t.row(w.name, fmt.Sprintf("%.0f", saturation), fmt.Sprintf("%.0f", r.PerSecond()),
			fmt.Sprintf("%.0f", float64(r.Statuses[429])/r.Elapsed.Seconds()),
			fmt.Sprint(other), fmt.Sprint(r.Unsent), micros(r.Latency.Quantile(0.5)),
			micros(r.Latency.Quantile(0.99)))
		return nil
	})
	if err != nil {
		return nil, err
	}
	t.promise(others == 0, "nothing but answers and 429")
	t.promise(median(shares) >= overloadedShare,
		"%s of the answers a second of saturation, at least %s", percent(median(shares), 1),
		percent(overloadedShare, 1))
	return t, nil
}

// overload sends whole calls at a rate. A call for which no connection is free when it is due is
// left out.
func (p *Plan) overload(w *way, rate float64) (*generator.Result, error) {
	load := generator.Load{
		Address: w.address, Requests: []generator.Request{w.request(kilobyte)}, Rate: rate,
		Count: int(rate * p.span(4*time.Second).Seconds()), Connections: overloadConnections,
		IsImpatient: true, Limit: limit,
	}
	return load.Run()
}
