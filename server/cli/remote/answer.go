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

// accumulate passes each event of an answer to show, and returns the whole answer. It returns the
// answer's error. If the answer exists but its end makes it useless, it returns both.
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

// uselessError reports an answer that did not end in a regular way.
type uselessError struct{ reason string }

func (e *uselessError) Error() string { return e.reason }

// endError returns an error for an answer that did not end in a regular way. An answer that reached
// a limit is regular, because the text so far is useful.
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

// answerWriter shows an answer to people while it arrives: text unchanged, everything else in
// separate paragraphs.
type answerWriter struct {
	call  *call
	paper *paper
	media *mediaFolder
	// holdsText omits the text, because it is printed later.
	holdsText bool
	// shown is the type of the last paragraph.
	shown normalize.EventType
}

// newAnswerWriter returns a writer to standard output. It saves media in a folder, unless the
// folder is "".
func newAnswerWriter(ctx context.Context, c *call, folder string) *answerWriter {
	return &answerWriter{call: c, paper: newPaper(c.stdout),
		media: &mediaFolder{ctx: ctx, path: folder}}
}

// write shows an answer and returns it. It returns the errors of [accumulate].
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

// paragraph starts a new paragraph, unless the last one has the same type.
func (w *answerWriter) paragraph(is normalize.EventType, write func() error) error {
	if w.shown != is {
		if err := w.paper.beginParagraph(); err != nil {
			return err
		}
		w.shown = is
	}
	return write()
}

// think writes thoughts, but only to a terminal. Otherwise a program reads the output.
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

// block writes a block that is not text.
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

// fence puts a program, or its output, into a Markdown code fence.
func fence(language, text string) string {
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return "```" + language + "\n" + text + "```"
}

// end writes what is known at the end of an answer: its sources, and whether it was cut off.
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

// noteUsage prints the token counts of an answer on standard error, if they are known.
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

// written wraps an error of writing to standard output.
func written(_ int, err error) error {
	if err == nil || errors.Is(err, io.EOF) {
		return nil
	}
	return &fileError{"standard output", err}
}
