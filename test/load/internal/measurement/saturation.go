package measurement

import (
	"fmt"
	"time"

	"github.com/gemwire/gemwire/test/load/internal/generator"
	"github.com/gemwire/gemwire/test/load/internal/intermediary"
)

// saturatingConnections is the number of requests in flight at saturation.
const saturatingConnections = 32

// limit ends a load that hangs.
const limit = 2 * time.Minute

// measureSaturation finds out how many calls of 1 KB are answered in a second.
func (p *Plan) measureSaturation() (*Table, error) {
	ws, err := p.open("saturation", direct, intermediary.NameHop, intermediary.NameReverseProxy,
		intermediary.NameGateway, intermediary.NameGenAIProxy)
	if err != nil {
		return nil, err
	}
	defer ws.close()
	rates := map[string][]float64{}
	err = ws.inTurns(func(w *way, round int) error {
		rate, err := p.saturate(w)
		if err == nil && round >= 0 {
			rates[w.name] = append(rates[w.name], rate)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	p.saturation = median(rates[intermediary.NameGateway])
	proxy := median(rates[intermediary.NameReverseProxy])
	t := &Table{
		title: fmt.Sprintf("Whole calls of 1 KB each way at saturation: %d connections, each with its next request when it has its answer",
			saturatingConnections),
		columns: []string{"way", "requests a second", "of ReverseProxy"},
	}
	for _, w := range ws.all {
		rate := median(rates[w.name])
		t.row(w.name, fmt.Sprintf("%.0f", rate), percent(rate, proxy))
	}
	t.flaws(ws)
	t.promise(p.saturation >= 0.6*proxy, "%s of the requests of ReverseProxy, at least 60 %%",
		percent(p.saturation, proxy))
	return t, nil
}

// saturate returns how many calls a way answers in a second.
func (p *Plan) saturate(w *way) (float64, error) {
	load := generator.Load{
		Address: w.address, Requests: []generator.Request{w.request(kilobyte)},
		Count: 1 << 40, Span: p.span(2 * time.Second), Connections: saturatingConnections,
		Limit: limit,
	}
	result, err := load.Run()
	if err != nil {
		return 0, err
	}
	return result.PerSecond(), w.check(result)
}

// gatewaysSaturation returns the saturation of the gateway, and measures it once.
func (p *Plan) gatewaysSaturation() (float64, error) {
	if p.saturation > 0 {
		return p.saturation, nil
	}
	ws, err := p.open("calibration", intermediary.NameGateway)
	if err != nil {
		return 0, err
	}
	defer ws.close()
	for range 2 { // the first is a warm-up
		if p.saturation, err = p.saturate(ws.all[0]); err != nil {
			return 0, err
		}
	}
	return p.saturation, nil
}
