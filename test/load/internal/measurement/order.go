package measurement

import (
	"fmt"

	"github.com/gemwire/gemwire/test/load/internal/generator"
	"github.com/gemwire/gemwire/test/load/internal/intermediary"
	"github.com/gemwire/gemwire/test/load/internal/upstream"
)

// measureOrder sends a million numbered chunks through the gateway, as fast as they come, and looks
// for each.
func (p *Plan) measureOrder() (*Table, error) {
	const streams, chunks = 1000, 1000
	ws, err := p.open("order", intermediary.NameGateway)
	if err != nil {
		return nil, err
	}
	defer ws.close()
	w := ws.all[0]
	load := generator.Load{
		Address: w.address,
		Requests: []generator.Request{w.request(asks{Wanted: upstream.Wanted{Chunks: chunks},
			streams: true, size: 1024})},
		Count: p.scaled(streams), Connections: 50, Limit: limit,
	}
	r, err := load.Run()
	if err != nil {
		return nil, err
	}
	t := &Table{
		title: fmt.Sprintf("Chunks of %d streams of %d, %d at once, without a pause", load.Count,
			chunks, load.Connections),
		columns: []string{"way", "came", "lost", "doubled or reordered", "failed streams",
			"chunks a second"},
	}
	t.row(w.name, fmt.Sprint(r.Marks), fmt.Sprint(r.Lost), fmt.Sprint(r.Misplaced),
		fmt.Sprint(r.Failures), fmt.Sprintf("%.0f", float64(r.Marks)/r.Elapsed.Seconds()))
	t.promise(w.check(r) == nil && r.Marks == load.Count*chunks,
		"none of %d is lost, doubled or reordered", load.Count*chunks)
	return t, nil
}
