package remote

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/server/cli/message"
)

// accumulate gives each event of an answer to show, and returns the answer as a whole. It fails
// with the answer, also with one that is there and ended in a way that makes it useless.
func accumulate(chunks iter.Seq2[*geminiapi.GenerateContentResponse, error],
	show func(*normalize.Event) error) (*normalize.Response, error) {
	var all normalize.Accumulator
	var failed error
	for event := range normalize.Events(chunks) {
		all.Add(event)
		if event.Type == normalize.EventError {
			failed = event.Error.Err
			break
		}
		if err := show(&event); err != nil {
			failed = err
			break
		}
	}
	response, err := all.Response()
	if failed == nil {
		failed = err
	}
	if response == nil {
		response = &normalize.Response{}
	}
	if failed == nil {
		failed = endError(response)
	}
	return response, failed
}

// uselessError reports an answer that ended in no proper way.
type uselessError struct{ reason string }

func (e *uselessError) Error() string { return e.reason }

// endError returns an error for an answer that ended in no proper way. One that reached a limit is
// proper: what is there can be used.
func endError(response *normalize.Response) error {
	if len(response.Candidates) == 0 {
		return normalize.ErrNoCandidates
	}
	first := response.Candidates[0]
	why := string(first.NativeFinishReason)
	if first.FinishMessage != "" {
		why += ": " + first.FinishMessage
	}
	switch first.FinishReason {
	case normalize.FinishContentFilter:
		return &uselessError{"the answer was withheld: " + why}
	case normalize.FinishError, normalize.FinishUnknown:
		return &uselessError{"the answer ended in an error: " + why}
	}
	return nil
}

// answerWriter shows an answer to people as it comes: text as it is, everything else in paragraphs
// of its own.
type answerWriter struct {
	call  *call
	paper *paper
	media *mediaFolder
	// holdsText leaves the text out, as it is printed later.
	holdsText bool
	// shown is what the last paragraph is.
	shown normalize.EventType
}

// newAnswerWriter returns a writer to standard output that puts media into a folder, unless it is
// "".
func newAnswerWriter(ctx context.Context, c *call, folder string) *answerWriter {
	return &answerWriter{call: c, paper: newPaper(c.stdout),
		media: &mediaFolder{ctx: ctx, path: folder}}
}

// write shows an answer and returns it. It fails as [accumulate] does.
func (w *answerWriter) write(chunks iter.Seq2[*geminiapi.GenerateContentResponse,
	error]) (*normalize.Response, error) {
	response, failed := accumulate(chunks, w.show)
	if failed == nil {
		failed = w.end(response)
	}
	if err := w.paper.endLine(); failed == nil {
		failed = err
	}
	return response, failed
}

// show writes what an event adds to the first candidate.
func (w *answerWriter) show(e *normalize.Event) error {
	if e.Candidate != 0 {
		return nil
	}
	switch e.Type {
	case normalize.EventTextDelta:
		if w.holdsText || e.Text == "" {
			return nil
		}
		return w.paragraph(e.Type, func() error { return w.paper.write(e.Text) })
	case normalize.EventThinkingDelta:
		return w.think(e.Text)
	case normalize.EventToolCallDone:
		w.shown = "" // each call is a paragraph
		return w.paragraph(e.Type,
			func() error { return w.paper.write(fmt.Sprintf("%s(%s)", e.ToolName, e.Arguments)) })
	case normalize.EventBlock:
		return w.block(e.Block)
	}
	return nil
}

// paragraph begins a new paragraph, unless the last one is of the same type.
func (w *answerWriter) paragraph(is normalize.EventType, write func() error) error {
	if w.shown != is {
		if err := w.paper.beginParagraph(); err != nil {
			return err
		}
		w.shown = is
	}
	return write()
}

// think writes thoughts, to a terminal only: elsewhere a program reads the answer.
func (w *answerWriter) think(text string) error {
	if !w.paper.isTerminal || text == "" {
		return nil
	}
	isFirst := w.shown != normalize.EventThinkingDelta
	return w.paragraph(normalize.EventThinkingDelta, func() error {
		if isFirst && !w.paper.hasColor {
			text = "Thinking:\n" + text
		}
		return w.paper.writeDim(text)
	})
}

// block writes what is no text.
func (w *answerWriter) block(b *normalize.Block) error {
	var text string
	switch b.Type {
	case normalize.BlockMedia:
		if b.Thought {
			return nil // a draft
		}
		line, err := w.media.save(b.Media)
		if err == nil {
			w.call.note(line)
		}
		return err
	case normalize.BlockFile:
		text = b.File.URI
	case normalize.BlockCode:
		text = fence(strings.ToLower(string(b.Code.Language)), b.Code.Source)
	case normalize.BlockCodeResult:
		text = fence("", b.CodeResult.Output)
	default:
		return nil
	}
	w.shown = ""
	return w.paragraph(normalize.EventBlock, func() error { return w.paper.write(text) })
}

// fence puts a program, or what it printed, into a fence of Markdown.
func fence(language, text string) string {
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return "```" + language + "\n" + text + "```"
}

// end writes what is known when an answer is complete: its sources, and that it was cut off.
func (w *answerWriter) end(response *normalize.Response) error {
	first := response.Candidates[0]
	if first.FinishReason == normalize.FinishLength {
		w.call.note("the answer is cut off: " + string(first.NativeFinishReason))
	}
	if first.Grounding == nil || len(first.Grounding.Sources) == 0 || w.holdsText {
		return nil
	}
	lines := []string{"Sources:"}
	for i, source := range first.Grounding.Sources {
		lines = append(lines,
			fmt.Sprintf("[%d] %s", i+1, strings.TrimSpace(source.Title+" "+source.URI)))
	}
	w.shown = ""
	return w.paragraph(normalize.EventGrounding,
		func() error { return w.paper.write(strings.Join(lines, "\n")) })
}

// noteUsage prints on standard error what an answer cost, if that is known.
func (c *call) noteUsage(response *normalize.Response) {
	usage := response.Usage
	if usage.Wire == nil {
		return
	}
	line := fmt.Sprintf("%s in, %d out", message.Count(usage.InputTokens, "token"),
		usage.OutputTokens)
	if usage.ThinkingTokens > 0 {
		line += fmt.Sprintf(", %d thinking", usage.ThinkingTokens)
	}
	if usage.CachedTokens > 0 {
		line += fmt.Sprintf(" (%d from a cache)", usage.CachedTokens)
	}
	if response.Model != "" {
		line = response.Model + ": " + line
	}
	c.note(line)
}

// written is the error of writing to standard output.
func written(_ int, err error) error {
	if err == nil || errors.Is(err, io.EOF) {
		return nil
	}
	return &fileError{"standard output", err}
}
