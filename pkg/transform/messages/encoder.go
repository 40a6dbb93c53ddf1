package messages

import (
	"github.com/gemwire/gemwire/gen/anthropicapi"
	"github.com/gemwire/gemwire/pkg/transform/internal/envelope"
	"github.com/gemwire/gemwire/pkg/wiretype"
	"github.com/go-json-experiment/json/jsontext"
)

// encoder makes the events of a message of the parts of one candidate, whole or as they come. It has one block open
// at a time:
//
//	           text               text
//	nothing ─────────► text ◄──────────────┐
//	   │  ▲             │ thoughts: held   │
//	   │  │ end of call ▼                  │
//	   │  └────────── call ◄──── thinking ─┘
//	   └────────────────────────► ▲
//	           thoughts           │ a signed part: its signature is that of the thinking block before it
//
// Thoughts behind a text are held until something follows them, as a message must not end in thinking.
type encoder struct {
	*options
	notes notes
	out   []anthropicapi.StreamEvent

	begun   int // blocks so far
	visible int // of these no thinking
	open    anthropicapi.BlockType
	hasText bool // some block is a text

	signing []signature   // what the next end of a thinking block signs
	held    []heldThought // behind a text

	responseID string
	taken      map[string]bool // ids of calls
	codeID     string          // of the last code
	searches   int
}

// signature is one that waits for a thinking block.
type signature struct {
	entry envelope.Entry
	at    place
}

// heldThought is a summary that was held back.
type heldThought struct {
	text string
	at   place
}

// begin begins a block. The one before must have ended.
func (e *encoder) begin(block *anthropicapi.ContentBlock) {
	e.out = append(e.out, anthropicapi.StreamEvent{
		Type: anthropicapi.EventTypeContentBlockStart, Index: e.index(e.begun), ContentBlock: block,
	})
	e.open = block.Type
	e.begun++
	if block.Type != anthropicapi.BlockTypeThinking {
		e.visible++
	}
	e.hasText = e.hasText || block.Type == anthropicapi.BlockTypeText
}

// add adds to the open block.
func (e *encoder) add(delta anthropicapi.StreamDelta) {
	e.out = append(e.out, anthropicapi.StreamEvent{
		Type: anthropicapi.EventTypeContentBlockDelta, Index: e.index(e.begun - 1), Delta: &delta,
	})
}

// end ends the open block, if there is one.
func (e *encoder) end() {
	if e.open == "" {
		return
	}
	if e.open == anthropicapi.BlockTypeThinking {
		e.sign()
	}
	e.out = append(e.out, anthropicapi.StreamEvent{Type: anthropicapi.EventTypeContentBlockStop, Index: e.index(e.begun - 1)})
	e.open = ""
}

func (e *encoder) index(i int) *int { return &i }

// whole adds a block that comes whole.
func (e *encoder) whole(block *anthropicapi.ContentBlock) {
	e.end()
	e.begin(block)
	e.end()
}

// call adds a block that calls a tool, with its input.
func (e *encoder) call(kind anthropicapi.BlockType, id, name string, input jsontext.Value) {
	e.beginCall(kind, id, name)
	e.add(inputDelta(string(input)))
	e.end()
}

func (e *encoder) beginCall(kind anthropicapi.BlockType, id, name string) {
	e.end()
	e.begin(&anthropicapi.ContentBlock{
		Type: kind, ID: &id, Name: &name, Input: emptyObject,
		Caller: &anthropicapi.Caller{Type: "direct"},
	})
}

// emptyObject is never written to.
var emptyObject = jsontext.Value("{}")

func inputDelta(text string) anthropicapi.StreamDelta {
	return anthropicapi.StreamDelta{Type: anthropicapi.DeltaTypeInputJSONDelta, PartialJSON: &text}
}

// start begins the message.
func (e *encoder) start(id, model string, usage anthropicapi.Usage) {
	e.out = append(e.out, anthropicapi.StreamEvent{Type: anthropicapi.EventTypeMessageStart, Message: &anthropicapi.Message{
		ID: id, Type: "message", Role: string(anthropicapi.RoleAssistant), Model: model,
		Content:     []anthropicapi.ContentBlock{},
		StopDetails: wiretype.Null[anthropicapi.StopDetails](),
		Container:   wiretype.Null[anthropicapi.Container](),
		Diagnostics: wiretype.Null[anthropicapi.Diagnostics](),
		Usage:       usage,
	}})
}

// finish ends the message.
func (e *encoder) finish(end *ending, usage anthropicapi.Usage) {
	e.out = append(e.out, anthropicapi.StreamEvent{
		Type: anthropicapi.EventTypeMessageDelta,
		Delta: &anthropicapi.StreamDelta{
			StopReason:   wiretype.Present(end.reason),
			StopSequence: wiretype.Null[string](),
			StopDetails:  end.details(),
			Container:    wiretype.Null[anthropicapi.Container](),
		},
		Usage: &usage,
	}, anthropicapi.StreamEvent{Type: anthropicapi.EventTypeMessageStop})
}
