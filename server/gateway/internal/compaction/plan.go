package compaction

import (
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/openai/responses"
	"github.com/go-json-experiment/json"
)

// MaxStep is the maximum size in bytes of a last step that is kept although all its calls have
// results. A larger one is summarised. A step with an open call is always kept.
const MaxStep = 64 << 10

// Plan says what of a conversation the model summarises and what is kept.
type Plan struct {
	// Read are the items that the model reads for the summary.
	Read []openaiapi.ResponseItem
	// Dropped are the indexes of the items of which only the summary is left.
	Dropped []int

	instructions, turn, step []int // indexes
	items                    []Item
}

// NewPlan returns the plan for a conversation.
func NewPlan(items []Item) *Plan {
	p := &Plan{items: items}
	kept := make([]bool, len(items))
	keep := func(list *[]int, i int) {
		*list = append(*list, i)
		kept[i] = true
	}
	for i := range items {
		if isInstruction(&items[i].ResponseItem) {
			keep(&p.instructions, i)
		}
	}
	first, end := lastTurn(items)
	for i := first; i < end; i++ {
		keep(&p.turn, i)
	}
	start := lastStep(items)
	for i := start; i < len(items); i++ {
		if !kept[i] {
			keep(&p.step, i)
		}
	}
	for i := range items[:start] {
		p.Read = append(p.Read, items[i].ResponseItem)
		if !kept[i] {
			p.Dropped = append(p.Dropped, i)
		}
	}
	return p
}

// lastTurn returns the range of the last messages of the user that follow each other.
func lastTurn(items []Item) (first, end int) {
	for end = len(items); end > 0 && !isUsers(&items[end-1]); end-- {
	}
	for first = end; first > 0 && isUsers(&items[first-1]); first-- {
	}
	return first, end
}

// lastStep returns the index at which the last step of the model begins. It is the number of items
// if no step is kept.
func lastStep(items []Item) int {
	none := len(items)
	begin := 0 // of the items after the last message of the user
	for i := range items {
		if isUsers(&items[i]) || items[i].summary != nil {
			begin = i + 1
		}
	}
	open := openCall(items, begin)
	start := none
	for start > begin && !isModels(&items[start-1]) {
		start--
	}
	for end := min(start, open+1); ; { // of the model's first items in the step
		start = withReasoning(items, begin, modelRun(items, begin, end))
		if end = withCalls(items, begin, start); end == start {
			break
		}
	}
	if !hasCall(items[start:]) || open == none && sizeOf(items[start:]) > MaxStep {
		return none
	}
	return start
}

// openCall returns the index of the first call without a result, or the number of items.
func openCall(items []Item, begin int) int {
	answered := map[string]bool{}
	for i := begin; i < len(items); i++ {
		if isResult(&items[i].ResponseItem) {
			answered[items[i].CallID] = true
		}
	}
	for i := begin; i < len(items); i++ {
		if isCall(&items[i].ResponseItem) && !answered[items[i].CallID] {
			return i
		}
	}
	return len(items)
}

// modelRun returns the index at which the model's items before an index begin.
func modelRun(items []Item, begin, end int) int {
	for end > begin && isModels(&items[end-1]) {
		end--
	}
	return end
}

// withReasoning moves the beginning of a step to its reasoning item, which has the signatures of
// the calls. Some clients put the result of each parallel call directly after the call.
func withReasoning(items []Item, begin, start int) int {
	for i := start; i < len(items) && isModels(&items[i]); i++ {
		if items[i].Type == openaiapi.ResponseItemTypeReasoning {
			return start
		}
	}
	for i := start; i > begin; i-- {
		if items[i-1].Type == openaiapi.ResponseItemTypeReasoning {
			return modelRun(items, begin, i)
		}
	}
	return start
}

// withCalls returns the index after the first call before a step whose result is in the step. It
// returns the beginning of the step if the step has all its calls.
func withCalls(items []Item, begin, start int) int {
	results := map[string]bool{}
	for i := start; i < len(items); i++ {
		if isResult(&items[i].ResponseItem) {
			results[items[i].CallID] = true
		}
	}
	for i := begin; i < start; i++ {
		if isCall(&items[i].ResponseItem) && results[items[i].CallID] {
			return i + 1
		}
	}
	return start
}

func hasCall(items []Item) bool {
	for i := range items {
		if isCall(&items[i].ResponseItem) {
			return true
		}
	}
	return false
}

// sizeOf returns the size of items as JSON.
func sizeOf(items []Item) (size int) {
	for i := range items {
		text, _ := json.Marshal(&items[i].ResponseItem, jsonx.Canonical) // it was decoded
		size += len(text)
	}
	return size
}

// Content returns the content with a summary.
func (p *Plan) Content(summary string, standsForAll bool) *Content {
	return &Content{Instructions: p.at(p.instructions), LastTurn: p.at(p.turn), Summary: summary,
		Files: filesOf(p.items), LastStep: p.at(p.step), StandsForAll: standsForAll}
}

// DroppedSize returns the size in bytes, as JSON, of the items of which only the summary is left.
// An earlier summary does not count, because the new one is about as long.
func (p *Plan) DroppedSize() (size int) {
	for _, i := range p.Dropped {
		if p.items[i].summary == nil {
			size += sizeOf(p.items[i : i+1])
		}
	}
	return size
}

// at returns items without secrets, which are for one request.
func (p *Plan) at(indexes []int) (out []openaiapi.ResponseItem) {
	for _, i := range indexes {
		out = append(out, responses.ItemWithoutSecrets(p.items[i].ResponseItem))
	}
	return out
}

// Shortened returns the items of a content that was made by the plan, for the rest of the turn.
func (p *Plan) Shortened(c *Content) []Item {
	out := c.Items()
	n := 0
	give := func(indexes []int) {
		for _, i := range indexes {
			out[n] = p.items[i]
			n++
		}
	}
	give(p.instructions)
	give(p.turn)
	n++ // the summary
	give(p.step)
	return out
}
