package messages

import (
	"github.com/gemwire/gemwire/gen/anthropicapi"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/answer"
	"github.com/gemwire/gemwire/pkg/transform/internal/envelope"
	"github.com/gemwire/gemwire/pkg/transform/messages/internal/textsignature"
	"github.com/gemwire/gemwire/pkg/wiretype"
	"github.com/go-json-experiment/json/jsontext"
)

// encoder makes the events of a message from the parts of one candidate. The parts can be whole or
// arrive in pieces. One block is open at a time:
//
//	          text, call                    text, call
//	nothing ───────────────► text or call ◄──────────── thinking
//	   │                       │        ▲                  ▲
//	   │                       └────────┘ text, call       │
//	   │                       │                           │
//	   │ thoughts              └───────────────────────────┤ a signed call, or held thoughts
//	   └───────────────────────────────────────────────────┘ before the next block
//
// The end of a text has the signatures of its parts, because in a stream they come last.
//
// Thoughts after a text or a call are held until something follows them, because a message must not
// end in thinking.
type encoder struct {
	*options
	entries answer.PartEntries
	out     []anthropicapi.StreamEvent

	memory *eventMemory // reused for the events of each push; nil if callers may keep events

	indexes [16]int // that events point to
	begun   int     // number of blocks so far
	visible int     // number of blocks that are not thinking
	open    anthropicapi.BlockType

	extension textsignature.Writer // of the open block of text
	signing   []signature          // what the next thinking block signs
	held      []heldThought        // thoughts after a text or a call

	responseID string
	candidate  int             // index of the message's candidate
	taken      map[string]bool // ids of calls
	codeID     string          // of the last code
	searches   int

	unshown report.Report // of the current record; reused
}

// signature is a signature that waits for a thinking block.
type signature struct {
	entry envelope.Entry
	at    answer.PartLocation
}

// heldThought is a thought summary that is held back.
type heldThought struct {
	text string
	at   answer.PartLocation
}

// begin starts a block. The block before must have ended.
func (e *encoder) begin(block *anthropicapi.ContentBlock) {
	e.out = append(e.out, anthropicapi.StreamEvent{
		Type: anthropicapi.EventTypeContentBlockStart, Index: e.index(e.begun), ContentBlock: block,
	})
	e.open = block.Type
	e.begun++
	if block.Type != anthropicapi.BlockTypeThinking {
		e.visible++
	}
}

// add adds to the open block.
func (e *encoder) add(delta *anthropicapi.StreamDelta) {
	e.out = append(e.out, anthropicapi.StreamEvent{
		Type: anthropicapi.EventTypeContentBlockDelta, Index: e.index(e.begun - 1), Delta: delta,
	})
}

func (e *encoder) addText(text string) {
	p := e.newPiece(anthropicapi.DeltaTypeTextDelta, text)
	p.delta.Text = &p.text
	e.add(&p.delta)
}

func (e *encoder) addThinking(text string) {
	p := e.newPiece(anthropicapi.DeltaTypeThinkingDelta, text)
	p.delta.Thinking = &p.text
	e.add(&p.delta)
}

func (e *encoder) addSignature(token string) {
	p := e.newPiece(anthropicapi.DeltaTypeSignatureDelta, token)
	p.delta.Signature = &p.text
	e.add(&p.delta)
}

func (e *encoder) addInput(text string) {
	p := e.newPiece(anthropicapi.DeltaTypeInputJSONDelta, text)
	p.delta.PartialJSON = &p.text
	e.add(&p.delta)
}

// end ends the open block, if any.
func (e *encoder) end() {
	if e.open == "" {
		return
	}
	if e.open == anthropicapi.BlockTypeThinking {
		e.sign()
	}
	e.out = append(e.out, anthropicapi.StreamEvent{
		Type: anthropicapi.EventTypeContentBlockStop, Index: e.index(e.begun - 1),
		Unknown: e.extension.Take(),
	})
	e.open = ""
}

// index returns a pointer to a number. For most messages it does not allocate.
func (e *encoder) index(i int) *int {
	if i >= len(e.indexes) {
		return new(i)
	}
	e.indexes[i] = i
	return &e.indexes[i]
}

// whole adds a complete block.
func (e *encoder) whole(block *anthropicapi.ContentBlock) {
	e.end()
	e.begin(block)
	e.end()
}

// call adds a block with a tool call and its input.
func (e *encoder) call(kind anthropicapi.BlockType, id, name string, input jsontext.Value) {
	e.beginCall(kind, id, name)
	e.addInput(string(input))
	e.end()
}

func (e *encoder) beginCall(kind anthropicapi.BlockType, id, name string) {
	e.end()
	block := e.newBlock(kind)
	block.ID, block.Name, block.Input = &id, &name, emptyObject
	block.Caller = &anthropicapi.Caller{Type: "direct"}
	e.begin(block)
}

// emptyObject is never modified.
var emptyObject = jsontext.Value("{}")

// start starts the message.
func (e *encoder) start(id, model string, usage anthropicapi.Usage) {
	message := e.newMessage()
	*message = anthropicapi.Message{
		ID: id, Type: "message", Role: string(anthropicapi.RoleAssistant), Model: model,
		Content:     []anthropicapi.ContentBlock{},
		StopDetails: wiretype.Null[anthropicapi.StopDetails](),
		Container:   wiretype.Null[anthropicapi.Container](),
		Diagnostics: wiretype.Null[anthropicapi.Diagnostics](),
		Usage:       usage,
	}
	e.out = append(e.out,
		anthropicapi.StreamEvent{Type: anthropicapi.EventTypeMessageStart, Message: message})
}

// finish ends the message.
func (e *encoder) finish(end *stop, usage anthropicapi.Usage) {
	delta := &e.emptyPiece().delta
	*delta = anthropicapi.StreamDelta{
		StopReason:   wiretype.Present(end.reason),
		StopSequence: wiretype.Null[string](),
		StopDetails:  end.details(),
		Container:    wiretype.Null[anthropicapi.Container](),
	}
	counts := e.newUsage()
	*counts = usage
	e.out = append(e.out, anthropicapi.StreamEvent{
		Type: anthropicapi.EventTypeMessageDelta, Delta: delta, Usage: counts,
		ContextManagement: e.appliedEdits(),
	}, anthropicapi.StreamEvent{Type: anthropicapi.EventTypeMessageStop})
}

// appliedEdits reports to a client that asked for context edits that no edit was applied.
func (e *encoder) appliedEdits() wiretype.Nullable[anthropicapi.ContextManagement] {
	if !e.contextEdits {
		return wiretype.Nullable[anthropicapi.ContextManagement]{}
	}
	return wiretype.Present(anthropicapi.ContextManagement{AppliedEdits: []jsontext.Value{}})
}
