// Package continuationtest makes interactions and cuts them into the replies of a server that stops
// at a limit of tokens.
package continuationtest

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"unicode/utf8"

	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/interactions"
	"github.com/gemwire/gemwire/pkg/wiretype"
	"github.com/go-json-experiment/json/jsontext"
)

// Whole returns a complete interaction with random steps. As in Google's answers, two outputs, or
// two texts, do not follow each other, and token counts have a sum.
func Whole(random *rand.Rand) *interactionsapi.Interaction {
	out := &interactionsapi.Interaction{ID: new("v1_last"), Object: new("interaction"),
		Model: new("gemini-3.6-flash"), Status: interactionsapi.InteractionStatusCompleted,
		Created: new("2026-10-01T00:00:00Z"), PreviousInteractionID: new("v1_before")}
	for i := range 1 + random.IntN(5) {
		switch n := len(out.Steps); {
		case n > 0 && out.Steps[n-1].Type != interactionsapi.StepTypeModelOutput &&
			random.IntN(2) == 0:
			out.Steps = append(out.Steps, output(random))
		case random.IntN(2) == 0:
			out.Steps = append(out.Steps, interactionsapi.Step{
				Type:    interactionsapi.StepTypeThought,
				Summary: []interactionsapi.Content{interactions.TextContent(text(random))},
				// or the next thought would continue this one
				Signature: new(fmt.Sprint("c2ln", i))})
		default:
			out.Steps = append(out.Steps, interactionsapi.Step{
				Type: interactionsapi.StepTypeFunctionCall, ID: new(fmt.Sprint("call", i)),
				Name: new("f"), Arguments: jsontext.Value(`{"b":1.0,"a":2}`)})
		}
	}
	out.Usage = counts(random)
	return out
}

// text returns a text with characters of one to four bytes.
func text(random *rand.Rand) string {
	var out strings.Builder
	for range 1 + random.IntN(12) {
		out.WriteString([]string{"a", "é", "語", "🙂", " "}[random.IntN(5)])
	}
	return out.String()
}

// output returns an output of a text, or of texts around an image.
func output(random *rand.Rand) interactionsapi.Step {
	content := []interactionsapi.Content{cited(random)}
	if random.IntN(3) == 0 {
		content = append(content, interactionsapi.Content{Type: interactionsapi.ContentTypeImage,
			Data: new("AAAA"), MIMEType: new("image/png")}, cited(random))
	}
	return interactionsapi.Step{Type: interactionsapi.StepTypeModelOutput,
		Content: wiretype.ValueOf(content)}
}

// cited returns a text that cites a source now and then, in its whole length.
func cited(random *rand.Rand) interactionsapi.Content {
	out := interactions.TextContent(text(random))
	for begin := 0; begin < len(*out.Text); {
		_, size := utf8.DecodeRuneInString((*out.Text)[begin:])
		if random.IntN(3) == 0 {
			out.Annotations = append(out.Annotations, interactionsapi.Annotation{
				Type: interactionsapi.AnnotationTypeURLCitation, URL: new("https://example.com"),
				StartIndex: new(begin), EndIndex: new(begin + size)})
		}
		begin += size
	}
	return out
}

// counts returns token counts.
func counts(random *rand.Rand) *interactionsapi.Usage {
	input, output := 1+random.IntN(50), random.IntN(50)
	return &interactionsapi.Usage{TotalTokens: new(input + output), TotalInputTokens: &input,
		TotalOutputTokens: &output}
}

// Cut returns the replies in which a server sends an interaction: all but the last require
// continuation. A cut is between two steps, within an output or within a thought. Cut sets the
// token counts of the interaction to those that [interactions.Join] returns for the replies.
func Cut(random *rand.Rand, whole *interactionsapi.Interaction) []*interactionsapi.Interaction {
	var out []*interactionsapi.Interaction
	rest := whole.Steps
	for n := random.IntN(4); n > 0; n-- {
		var piece []interactionsapi.Step
		piece, rest = cutSteps(random, rest)
		out = append(out, reply(random, whole, len(out), piece))
	}
	last := reply(random, whole, len(out), rest)
	last.ID, last.Status, last.ContinuationToken = whole.ID, whole.Status, nil
	out = append(out, last)
	whole.Usage = out[0].Usage
	for _, piece := range out[1:] {
		whole.Usage = interactions.JoinUsage(whole.Usage, piece.Usage)
	}
	return out
}

// reply returns a reply with some of the steps.
func reply(random *rand.Rand, whole *interactionsapi.Interaction, i int,
	steps []interactionsapi.Step) *interactionsapi.Interaction {
	out := *whole
	out.ID, out.Usage, out.Steps = new(fmt.Sprint("v1_", i)), counts(random), steps
	out.Status = interactionsapi.InteractionStatusRequiresContinuation
	out.ContinuationToken = new(fmt.Sprint("token", i))
	if i > 0 {
		out.Created = new(fmt.Sprintf("2026-10-01T00:0%d:00Z", i))
		out.PreviousInteractionID = new(fmt.Sprint("v1_", i-1))
	}
	return &out
}

// cutSteps cuts a list of steps in two.
func cutSteps(random *rand.Rand, list []interactionsapi.Step) (before,
	rest []interactionsapi.Step) {
	at := random.IntN(len(list) + 1)
	if at == len(list) || random.IntN(3) == 0 {
		return list[:at:at], list[at:]
	}
	first, second := list[at], list[at]
	switch list[at].Type {
	case interactionsapi.StepTypeThought:
		first.Signature = nil
		first.Summary, second.Summary = cutBlocks(random, list[at].Summary)
	case interactionsapi.StepTypeModelOutput:
		a, b := cutBlocks(random, interactions.ContentOf(&list[at]))
		first.Content, second.Content = wiretype.ValueOf(a), wiretype.ValueOf(b)
	default: // a call comes whole
		return list[:at:at], list[at:]
	}
	return append(list[:at:at], first), append([]interactionsapi.Step{second}, list[at+1:]...)
}

// cutBlocks cuts content in two, within a text if that is possible.
func cutBlocks(random *rand.Rand, list []interactionsapi.Content) (before,
	rest []interactionsapi.Content) {
	at := random.IntN(len(list))
	if list[at].Type != interactionsapi.ContentTypeText {
		return list[:at:at], list[at:]
	}
	first, second := list[at], list[at]
	runes := []rune(*list[at].Text)
	n := random.IntN(len(runes) + 1)
	first.Text, second.Text = new(string(runes[:n])), new(string(runes[n:]))
	first.Annotations, second.Annotations = nil, nil
	for _, a := range list[at].Annotations {
		if *a.EndIndex <= len(*first.Text) {
			first.Annotations = append(first.Annotations, a)
			continue
		}
		a.StartIndex = new(*a.StartIndex - len(*first.Text))
		a.EndIndex = new(jsonx.Deref(a.EndIndex) - len(*first.Text))
		second.Annotations = append(second.Annotations, a)
	}
	return append(list[:at:at], first), append([]interactionsapi.Content{second}, list[at+1:]...)
}
