package cli

import (
	"fmt"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/indexed"
	"github.com/gemwire/gemwire/internal/told"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/transform"
)

// eventNotes are what the report of normalised events is made of: what chunks say and no event does.
// Most of what a chunk says is in its own events. The rest waits for the next event that has the last
// word on it.
type eventNotes struct {
	chunkReport
	chunks     int // seen so far
	usage      []chunkUsage
	calls      callNotes
	candidates indexed.List[candidateWords]
}

// chunkUsage is a usage that no event has told yet.
type chunkUsage struct {
	chunk int
	wire  *geminiapi.UsageMetadata
}

// candidateWords are what waits for the end of a candidate, with the places that said it.
type candidateWords struct{ role, reason, message []word }

type word struct {
	text             string
	chunk, candidate int
}

// chunk takes notes of the next chunk, before its events.
func (n *eventNotes) chunk(c *geminiapi.GenerateContentResponse) {
	at := n.chunks
	n.chunks++
	var positions indexed.Positions
	for i := range c.Candidates {
		n.candidate(positions.Of(c.Candidates[i].Index), at, i, &c.Candidates[i])
	}
	if c.UsageMetadata != nil {
		n.usage = append(n.usage, chunkUsage{at, c.UsageMetadata})
	}
}

func (n *eventNotes) candidate(index, chunk, at int, wire *geminiapi.Candidate) {
	words := n.candidates.At(index)
	note := func(list *[]word, text string) {
		if text != "" {
			*list = append(*list, word{text, chunk, at})
		}
	}
	if wire.FinishReason != nil {
		note(&words.reason, string(*wire.FinishReason))
	}
	if wire.FinishMessage != nil {
		note(&words.message, *wire.FinishMessage)
	}
	if wire.Content == nil {
		return
	}
	if wire.Content.Role != nil {
		note(&words.role, *wire.Content.Role)
	}
	place := told.Place{Chunk: chunk, Pointer: fmt.Sprintf("/candidates/%d", at)}
	n.madeIDs(place, wire.Content)
	n.calls.candidate(&n.chunkReport, index, place, wire)
}

// madeIDs reports the calls that have no id and so will be given one. A part with a name begins a call;
// the pieces that follow it need none.
func (n *eventNotes) madeIDs(at told.Place, content *geminiapi.Content) {
	for i := range content.Parts {
		p := &content.Parts[i]
		if told.BeginsCall(*p) && !isSet(p.FunctionCall.ID) {
			n.add(at.Chunk, transform.Added, fmt.Sprintf("%s/content/parts/%d/functionCall/id", at.Pointer, i), detailMadeID)
		}
	}
}

// event reports what has waited for an event and is not in it.
func (n *eventNotes) event(e *normalize.Event) {
	switch e.Type {
	case normalize.EventUsage, normalize.EventDone, normalize.EventError:
		n.endUsage(e.Usage)
	case normalize.EventFinish:
		n.endCandidate(e)
	}
}

func (n *eventNotes) endUsage(usage *normalize.Usage) {
	var wire *geminiapi.UsageMetadata
	if usage != nil {
		wire = usage.Wire
	}
	for _, u := range n.usage {
		if !within(u.wire, wire) {
			n.add(u.chunk, transform.Approximated, "/usageMetadata", told.DetailReplaced)
		}
	}
	n.usage = n.usage[:0]
}

func (n *eventNotes) endCandidate(e *normalize.Event) {
	words := n.candidates.At(e.Candidate)
	n.endWords(words.role, "/content/role", e.Role)
	n.endWords(words.reason, "/finishReason", string(e.NativeFinishReason))
	n.endWords(words.message, "/finishMessage", e.FinishMessage)
	*words = candidateWords{}
}

func (n *eventNotes) endWords(words []word, member, last string) {
	for _, w := range words {
		detail := told.DetailReplaced
		if w.text == string(geminiapi.FinishReasonUnspecified) {
			detail = detailUnspecified
		}
		if w.text != last {
			n.add(w.chunk, transform.Approximated, fmt.Sprintf("/candidates/%d%s", w.candidate, member), detail)
		}
	}
}

// end reports what has waited for the end of a candidate that did not come: that of a refused prompt.
func (n *eventNotes) end() {
	for _, words := range n.candidates.Values() {
		n.loseWords(words.role, "/content/role")
		n.loseWords(words.message, "/finishMessage")
		*words = candidateWords{}
	}
}

func (n *eventNotes) loseWords(words []word, member string) {
	for _, w := range words {
		n.add(w.chunk, transform.Lost, fmt.Sprintf("/candidates/%d%s", w.candidate, member), "the candidate does not come to its end")
	}
}
