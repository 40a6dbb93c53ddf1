package measurement

import (
	"fmt"
	"time"

	"github.com/gemwire/gemwire/test/load/internal/generator"
	"github.com/gemwire/gemwire/test/load/internal/intermediary"
	"github.com/gemwire/gemwire/test/load/internal/upstream"
)

// measureCPU measures the processor time of the intermediary alone for a request.
func (p *Plan) measureCPU() (*Table, error) {
	ws, err := p.open("cpu", intermediary.NameHop, intermediary.NameReverseProxy,
		intermediary.NameGateway, intermediary.NameGenAIProxy)
	if err != nil {
		return nil, err
	}
	defer ws.close()
	calls := []asks{kilobyte, {Wanted: upstream.Wanted{Chunks: 100}, streams: true, size: 1024}}
	counts := []int{p.scaled(10000), p.scaled(1000)}
	used := map[string][2][]time.Duration{}
	err = ws.inTurns(func(w *way, round int) error {
		for i, a := range calls {
			each, err := cpuOf(w, a, counts[i])
			if err != nil {
				return err
			}
			if round >= 0 {
				u := used[w.name]
				u[i] = append(u[i], each)
				used[w.name] = u
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	t := &Table{
		title:   "Seconds of processors for 1,000 requests, 1 KB each way, and streams of 100 chunks",
		columns: []string{"way", "whole", "of the gateway's", "stream", "of the gateway's"},
	}
	gateway := used[intermediary.NameGateway]
	for _, w := range ws.all {
		cells := []string{w.name}
		for i := range calls {
			each := median(used[w.name][i])
			cells = append(cells, fmt.Sprintf("%.3f s", 1000*each.Seconds()),
				fmt.Sprintf("%.1f", each.Seconds()/median(gateway[i]).Seconds()))
		}
		t.row(cells...)
	}
	t.flaws(ws)
	return t, nil
}

// cpuOf returns the time of processors that each of many requests takes.
func cpuOf(w *way, a asks, count int) (time.Duration, error) {
	load := generator.Load{
		Address: w.address, Requests: []generator.Request{w.request(a)}, Count: count,
		Connections: 8, Limit: limit,
	}
	before, err := w.process.CPU()
	if err != nil {
		return 0, err
	}
	result, err := load.Run()
	if err != nil {
		return 0, err
	}
	after, err := w.process.CPU()
	if err != nil {
		return 0, err
	}
	return (after - before) / time.Duration(count), w.check(result)
}
