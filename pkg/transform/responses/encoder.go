package responses

import (
	"strconv"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/pkg/transform/internal/answer"
	"github.com/gemwire/gemwire/pkg/transform/internal/envelope"
	"github.com/gemwire/gemwire/pkg/transform/internal/openaianswer"
	"github.com/gemwire/gemwire/pkg/transform/internal/uniqueid"
)

// encoder makes the items of a response from the parts of one candidate. The parts can be whole or
// arrive in pieces. For a stream it makes the events of the items. One item is open at a time:
//
//	           text                    text
//	nothing ─────────► message ◄────────────────┐
//	   │  ▲               │ call, code, image     │
//	   │  │ end of it     ▼                       │
//	   │  └──────── call, code, image ◄─── reasoning
//	   └───────────────────────────────────► ▲
//	                 thoughts                 │ a signed part: its signature is in the reasoning item before it
//
// The signature of a text that follows no thoughts is in the reasoning item after it. Code is held
// until something other than its results follows. Signatures, and parts without an item, wait in
// pending for the next item or the end. Then they go into a reasoning item before it.
type encoder struct {
	*options
	entries    answer.PartEntries
	responseID string // Gemini's
	index      int    // of the candidate
	suffix     string // of the ids of items

	items       []openaiapi.ResponseItem
	open        openaiapi.ResponseItemType // "" between items
	item        openaiapi.ResponseItem     // the open item as it was sent
	outputIndex *int                       // of the open one, in events
	pending     []envelope.Entry

	answer          openaianswer.Text
	message         openMessage
	thoughts        openReasoning
	call            openCall
	held            heldCode
	taken           uniqueid.Set // ids of calls
	searched        bool         // a part has shown a search
	hasLostLogprobs bool         // log probabilities arrived without a message
	// given is the number of items that are not the model's. hasGiven is true once they are known.
	given    int
	hasGiven bool

	rest partsRest

	streams bool
	out     []openaiapi.ResponseEvent
	events  int // so far
}

const (
	// usualEvents is the maximum number of events of most pushes. Only the first and the last push
	// have many more.
	usualEvents = 2
	// maxKept is the largest number of events whose memory is reused.
	maxKept = 32
)

// beginPush resets the events for a push and releases the earlier ones.
func (e *encoder) beginPush() {
	e.message.text = -1
	if kept := cap(e.out); kept > maxKept || kept > usualEvents && !e.reusesEvents {
		e.out = nil
		return
	}
	clear(e.out)
	e.out = e.out[:0]
}

// emit adds an event.
func (e *encoder) emit(kind openaiapi.ResponseEventType) *openaiapi.ResponseEvent {
	e.out = append(e.out, openaiapi.ResponseEvent{Type: kind, SequenceNumber: e.events})
	e.events++
	return &e.out[len(e.out)-1]
}

// emitOf adds an event of the open item.
func (e *encoder) emitOf(kind openaiapi.ResponseEventType) *openaiapi.ResponseEvent {
	event := e.emit(kind)
	event.ItemID, event.OutputIndex = e.item.ID, e.outputIndex
	return event
}

// begin starts an item. It first sends what waits. The item must be in its initial state, without
// an id.
func (e *encoder) begin(prefix string, item *openaiapi.ResponseItem) {
	e.end(openaiapi.ResponseItemStatusCompleted)
	if len(e.pending) > 0 && item.Type != openaiapi.ResponseItemTypeReasoning {
		e.sign()
	}
	e.item = *item
	e.item.ID = prefix + e.suffix + "_" + strconv.Itoa(len(e.items))
	e.open = item.Type
	if !e.streams {
		return
	}
	e.outputIndex = new(len(e.items))
	event := e.emit(openaiapi.ResponseEventTypeOutputItemAdded)
	event.OutputIndex, event.Item = e.outputIndex, new(e.item)
}

// give sends the server's own items, once.
func (e *encoder) give() {
	if e.hasGiven || e.firstItems == nil {
		return
	}
	e.hasGiven = true
	items := e.firstItems()
	for i := range items {
		e.begin(givenPrefix, &items[i])
		e.done()
	}
	e.given = len(items)
}

// givenPrefix begins the ids of compaction items, which are the only items that a server has.
const givenPrefix = "cmp_"

// sign sends the waiting entries in a separate reasoning item.
func (e *encoder) sign() {
	e.beginReasoning()
	e.end(openaiapi.ResponseItemStatusCompleted)
}

// end ends the open item, if any. Items with a status get the given one.
func (e *encoder) end(status openaiapi.ResponseItemStatus) {
	switch e.open {
	case "":
		return
	case openaiapi.ResponseItemTypeMessage:
		e.endMessage(status)
	case openaiapi.ResponseItemTypeReasoning:
		e.endReasoning()
	case openaiapi.ResponseItemTypeFunctionCall, openaiapi.ResponseItemTypeCustomToolCall,
		openaiapi.ResponseItemTypeToolSearchCall:
		e.cutCall()
	}
	e.done()
}

// done sends the complete open item.
func (e *encoder) done() {
	e.items = append(e.items, e.item)
	e.open = ""
	if e.streams {
		event := e.emit(openaiapi.ResponseEventTypeOutputItemDone)
		event.OutputIndex, event.Item = e.outputIndex, new(e.item)
	}
}

// wait puts an entry into the next reasoning item. If a reasoning item is open, the entry goes
// there.
func (e *encoder) wait(entry envelope.Entry) {
	if e.open == openaiapi.ResponseItemTypeReasoning {
		e.thoughts.entries = append(e.thoughts.entries, entry)
		return
	}
	e.pending = append(e.pending, entry)
}
