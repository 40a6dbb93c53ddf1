// Package chat contains what the gateway adds to chat_completions: thought signatures in call ids.
package chat

import (
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/server/gateway/exchange"
	"github.com/gemwire/gemwire/server/gateway/internal/problem"
	"github.com/gemwire/gemwire/server/gateway/internal/signature"
	"github.com/gemwire/gemwire/server/gateway/internal/turn"
)

// extra implements [turn.Extra].
type extra struct {
	turn    *turn.Turn
	signing *signature.Carrying
	// signatures that came back outside of ids, if an observer wants to know
	carriers map[string]exchange.Carrier
	// forgotten are the signatures that are no longer in the memory.
	forgotten report.Report
	callIDs   signature.CallIDs // of a stream
}

// Extend extends a turn that asks for a chat completion. With beatsByChunks the heartbeats of a
// stream are chunks. thoughts says which clients see thoughts.
func Extend(t *turn.Turn, r *turn.Request, signing *signature.Carrying, beatsByChunks bool,
	thoughts Thoughts) {
	in, ok := t.Request.Body().(*openaiapi.CreateChatCompletionRequest)
	if !ok {
		return
	}
	x := &extra{turn: t, signing: signing}
	t.Extra, t.NotesReason, t.Options.SignID = x, false, signing.SignID()
	t.Amend = thoughts.shower(in, r.Header.Get("User-Agent"))
	if t.IsStream {
		x.callIDs = signature.CallIDs{}
		if beatsByChunks { // which come before Gemini's id is known, and all chunks have one
			t.Options.ID = "chatcmpl-" + strings.TrimPrefix(r.ID, "req_")
		}
	}
	if r.IsRecorded {
		x.noteCarriers(in.Messages)
	}
	x.forgotten = signing.Recall(in.Messages)
}

// Place implements [turn.Extra].
func (x *extra) Place(entries report.Report) report.Report { return append(entries, x.forgotten...) }

// Unreadable implements [turn.Extra].
func (x *extra) Unreadable(err error) *problem.Problem { return problem.Unreadable(err) }

// Edit records the finish reason of the first choice, and puts signatures into ids.
func (x *extra) Edit(document any) {
	switch d := document.(type) {
	case *openaiapi.CreateChatCompletionResponse:
		x.turn.Reason = reasonOf(d.Choices[0].FinishReason, d.Choices[0].NativeFinishReason)
		x.signing.DropRepeated(d.Choices)
	case *openaiapi.CreateChatCompletionStreamResponse:
		x.callIDs.Carry(x.signing, d.Choices)
		for i := range d.Choices {
			if reason := d.Choices[i].FinishReason; reason != nil && d.Choices[i].Index == 0 {
				x.turn.Reason = reasonOf(*reason, d.Choices[i].NativeFinishReason)
			}
		}
	}
}

// reasonOf returns the finish reason of a choice. chat_completions has fewer reasons than Gemini.
func reasonOf(reason openaiapi.FinishReason, native *string) normalize.FinishReason {
	switch reason {
	case openaiapi.FinishReasonToolCalls:
		return normalize.FinishToolUse
	case openaiapi.FinishReasonLength:
		return normalize.FinishLength
	case openaiapi.FinishReasonContentFilter:
		return normalize.FinishContentFilter
	}
	if native == nil {
		return normalize.FinishStop
	}
	return normalize.MapFinishReason(geminiapi.FinishReason(*native))
}
