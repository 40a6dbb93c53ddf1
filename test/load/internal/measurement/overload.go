package measurement

import (
	"fmt"
	"time"

	"github.com/gemwire/gemwire/test/load/internal/generator"
	"github.com/gemwire/gemwire/test/load/internal/intermediary"
)

// measureOverload has twice as many requests due as the gateway can answer.
func (p *Plan) measureOverload() (*Table, error) {
	saturation, err := p.gatewaysSaturation()
	if err != nil {
		return nil, err
	}
	ws, err := p.open("overload")
	if err != nil {
		return nil, err
	}
	defer ws.close()
	const concurrent, connections = 64, 1024
	w, err := ws.add(intermediary.NameGateway, nil, append(p.profile("overload", intermediary.NameGateway), "-concurrent", fmt.Sprint(concurrent))...)
	if err != nil {
		return nil, err
	}
	rate := 2 * saturation
	load := generator.Load{
		Address: w.address, Requests: []generator.Request{w.request(kilobyte)}, Rate: rate,
		Count: int(rate * p.span(10*time.Second).Seconds()), Connections: connections, IsImpatient: true, Limit: limit,
	}
	r, err := load.Run()
	if err != nil {
		return nil, err
	}
	t := &Table{
		title: fmt.Sprintf("%.0f whole calls due in a second, twice the gateway's saturation, on up to %d connections; the gateway serves %d at once",
			rate, connections, concurrent),
		columns: []string{"way", "answers", "a second", "429", "other", "no connection free", "p50", "p99"},
	}
	other := r.Failures + r.Lost + r.Misplaced
	for status, count := range r.Statuses {
		if status != 200 && status != 429 {
			other += count
		}
	}
	t.row(w.name, fmt.Sprint(r.Statuses[200]), fmt.Sprintf("%.0f", r.PerSecond()), fmt.Sprint(r.Statuses[429]), fmt.Sprint(other), fmt.Sprint(r.Unsent),
		micros(r.Latency.Quantile(0.5)), micros(r.Latency.Quantile(0.99)))
	t.promise(other == 0 && r.Statuses[200] > 0, "nothing but answers and 429")
	return t, nil
}
