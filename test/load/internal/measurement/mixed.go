package measurement

import (
	"fmt"

	"github.com/gemwire/gemwire/test/load/internal/generator"
	"github.com/gemwire/gemwire/test/load/internal/intermediary"
	"github.com/gemwire/gemwire/test/load/internal/upstream"
)

// An hour of a busy gateway, as fast as it goes.
const (
	hourOfRequests = 180_000 // 50 in a second
	growthAllowed  = 1.1
)

// mix is twenty requests of the traffic of a gateway that many kinds of clients share.
func mix(w *way) []generator.Request {
	whole := w.request(kilobyte)
	long := w.request(asks{Wanted: upstream.Wanted{Size: 64 << 10}, size: 64 << 10})
	stream := w.request(asks{Wanted: upstream.Wanted{Chunks: 30}, streams: true, size: 4 << 10})
	out := []generator.Request{
		long, long, stream.Left(),
		w.request(asks{Wanted: upstream.Wanted{Size: 1024}, size: 1 << 20}),
		w.request(asks{Wanted: upstream.Wanted{Status: 400}, size: 1024}),
	}
	for range 5 {
		out = append(out, stream, whole, whole)
	}
	return out
}

// measureMixed looks whether memory grows in an hour's worth of requests.
func (p *Plan) measureMixed() (*Table, error) {
	ws, err := p.open("mixed", intermediary.NameGateway)
	if err != nil {
		return nil, err
	}
	defer ws.close()
	w := ws.all[0]
	load := generator.Load{
		Address: w.address, Requests: mix(w), Count: p.scaled(hourOfRequests), Connections: 32,
		Limit: 10 * limit,
	}
	stop := sample(w.process)
	r, err := load.Run()
	samples := stop()
	if err != nil {
		return nil, err
	}
	t := &Table{
		title: fmt.Sprintf("Memory over %d requests of all kinds within %.0f s: 1 KB, 64 KB, 1 MB, streams, errors, clients that leave",
			load.Count, r.Elapsed.Seconds()),
		columns: []string{"way", "answers", "errors asked for", "left", "failures", "2nd quarter",
			"3rd", "4th"},
	}
	second, fourth := samples.highest(0.25, 0.5), samples.highest(0.75, 1)
	t.row(w.name, fmt.Sprint(r.Statuses[200]), fmt.Sprint(r.Statuses[400]), fmt.Sprint(r.Left),
		fmt.Sprint(r.Failures+r.Lost+r.Misplaced),
		megabytes(second), megabytes(samples.highest(0.5, 0.75)), megabytes(fourth))
	t.promise(float64(fourth) <= growthAllowed*float64(second),
		"resident memory is flat: %s at last, %s in the second quarter", megabytes(fourth),
		megabytes(second))
	t.promise(r.Statuses[200]+r.Statuses[400]+r.Left == load.Count &&
		r.Failures+r.Lost+r.Misplaced == 0, "every request ended as it should")
	return t, nil
}
