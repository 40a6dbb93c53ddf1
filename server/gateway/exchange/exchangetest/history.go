package exchangetest

import (
	"fmt"
	"math/rand/v2"
	"time"
)

// PlayHistory plays n scenes of several kinds over a span of time. The sequence is deterministic.
// Sleep must not really wait.
func (g *Gateway) PlayHistory(n int, span time.Duration) {
	random := rand.New(rand.NewPCG(7, uint64(n)))
	kinds := []func() *Scene{Lossy, ToolResult, Streamed, Streamed, Picture, RateLimited, OutOfQuota, Refused, Left, Broken, ToolResult, Streamed}
	for i := range n {
		before := g.Now()
		scene := kinds[random.IntN(len(kinds))]()
		speed := 0.4 + 1.4*random.Float64()
		for t := range scene.Tries {
			scene.Tries[t].After = time.Duration(float64(scene.Tries[t].After) * speed)
			scene.Tries[t].Each = time.Duration(float64(scene.Tries[t].Each) * speed)
		}
		scene.Name = fmt.Sprintf("%s %d", scene.Name, i)
		g.Play(scene)
		g.Sleep(max(0, span/time.Duration(n)-g.Now().Sub(before)))
	}
}
