package compaction_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/server/gateway/internal/compaction"
)

// conversation returns a random conversation of one turn. The results of parallel calls come in any
// order, after their calls or later, and the last step may have open calls.
func conversation(r *rand.Rand) string {
	items := []string{user("u0"), `{"id":"m0","role":"assistant","content":"x"}`, user("u1")}
	var late []string
	for step := range 1 + r.IntN(4) {
		if r.IntN(2) == 0 {
			items = append(items, reasoning(fmt.Sprint("r", step)))
		}
		for n := range 1 + r.IntN(3) {
			id := fmt.Sprintf("%d.%d", step, n)
			items = append(items, call(id))
			if r.IntN(3) == 0 {
				items = append(items, result(id, "x"))
			} else {
				late = append(late, result(id, "x"))
			}
		}
		r.Shuffle(len(late), func(i, j int) { late[i], late[j] = late[j], late[i] })
		n := r.IntN(len(late) + 1)
		items, late = append(items, late[:n]...), late[n:]
		if r.IntN(4) == 0 {
			items = append(items, `{"id":"m`+fmt.Sprint(step)+`","role":"assistant","content":"x"}`)
		}
	}
	items = append(items, late[:r.IntN(len(late)+1)]...)
	return "[" + strings.Join(items, ",") + "]"
}

// pairs returns the calls without results, and the results without calls.
func pairs(items []openaiapi.ResponseItem) (open, lost []string) {
	calls, answered := map[string]bool{}, map[string]bool{}
	for i := range items {
		switch items[i].Type {
		case openaiapi.ResponseItemTypeFunctionCall:
			calls[items[i].CallID] = true
		case openaiapi.ResponseItemTypeFunctionCallOutput:
			answered[items[i].CallID] = true
			if !calls[items[i].CallID] {
				lost = append(lost, items[i].ID)
			}
		}
	}
	for id := range calls {
		if !answered[id] {
			open = append(open, id)
		}
	}
	return open, lost
}

func TestAPlanNeverSeparatesACallFromItsResult(t *testing.T) {
	t.Parallel()
	for seed := range uint64(5000) {
		list := conversation(rand.New(rand.NewPCG(seed, 0)))
		plan := compaction.NewPlan(opened(t, list))
		if open, lost := pairs(plan.Read); len(open)+len(lost) > 0 {
			t.Fatalf("%s: the model reads the calls %q without results, and the results %q without calls",
				list, open, lost)
		}
		if _, lost := pairs(plan.Content("sum", false).LastStep); len(lost) > 0 {
			t.Fatalf("%s: the results %q have lost their calls", list, lost)
		}
	}
}
