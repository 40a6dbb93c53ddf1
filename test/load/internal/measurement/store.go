package measurement

import (
	"fmt"
	"time"

	"github.com/gemwire/gemwire/test/load/internal/generator"
	"github.com/gemwire/gemwire/test/load/internal/intermediary"
)

// The promises about a gateway that counts usage and budgets in its store.
const (
	leastWithStore = 0.95 // of the requests at saturation
	mostWithStore  = 1.05 // of the median time
)

// measureStore compares a gateway that counts usage and budgets in a store with one that does not.
// Both know the prices of calls, as a gateway does by default.
func (p *Plan) measureStore() (*Table, error) {
	ws, err := p.open("store", intermediary.NamePricing, intermediary.NameCounting)
	if err != nil {
		return nil, err
	}
	defer ws.close()
	rates, times := map[string][]float64{}, map[string][]time.Duration{}
	used := map[string][]time.Duration{}
	err = ws.inRounds(storeRounds, func(w *way, round int) error {
		rate, err := p.saturate(w)
		if err != nil {
			return err
		}
		each, err := cpuOf(w, kilobyte, p.scaled(5000))
		if err != nil {
			return err
		}
		load := generator.Load{
			Address: w.address, Requests: []generator.Request{w.request(kilobyte)},
			Rate: storePerSecond, Connections: 256, Limit: limit,
			Count: max(int(storePerSecond*p.span(3*time.Second).Seconds()), 10),
		}
		result, err := load.Run()
		if err != nil || round < 0 {
			return err
		}
		rates[w.name], used[w.name] = append(rates[w.name], rate), append(used[w.name], each)
		times[w.name] = append(times[w.name], result.Latency.Quantile(0.5))
		return w.check(result)
	})
	if err != nil {
		return nil, err
	}
	t := &Table{
		title: fmt.Sprintf("Usage and budgets in a store: whole calls of 1 KB at saturation, and %d due in a second",
			storePerSecond),
		columns: []string{"way", "requests a second", "processor time of a request", "p50"},
	}
	var ofRate, ofTime []float64
	for round, rate := range rates[intermediary.NameCounting] {
		ofRate = append(ofRate, rate/rates[intermediary.NamePricing][round])
		ofTime = append(ofTime, float64(times[intermediary.NameCounting][round])/
			float64(times[intermediary.NamePricing][round]))
	}
	for _, w := range ws.all {
		t.row(w.name, fmt.Sprintf("%.0f", median(rates[w.name])), micros(median(used[w.name])),
			micros(median(times[w.name])))
	}
	t.flaws(ws)
	t.promise(median(ofRate) >= leastWithStore, "%.3f of the requests without a store, at least %.2f",
		median(ofRate), leastWithStore)
	t.promise(median(ofTime) <= mostWithStore, "p50 is %.3f times that without a store, at most %.2f",
		median(ofTime), mostWithStore)
	return t, nil
}

const (
	// storePerSecond is the rate at which the time of a call is measured.
	storePerSecond = 1000
	// storeRounds are more than usual: the difference is smaller than that between two rounds.
	storeRounds = 15
)
