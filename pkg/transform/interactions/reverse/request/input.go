package request

import (
	"slices"
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/interactions"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/interactions/internal/steps"
)

// These are the authors of contents. Older requests use function for results.
const (
	userRole     = "user"
	modelRole    = "model"
	functionRole = "function"
)

// madeID is the prefix of ids for calls without one.
const madeID = "gemini-call-"

// setInput converts the contents to steps.
func (c *converter) setInput() error {
	conv := input{converter: c, steps: steps.Steps{CallID: idAt, Report: &c.report}}
	for i := range c.in.Contents {
		if err := conv.content(&c.in.Contents[i], i); err != nil {
			return err
		}
	}
	return conv.end()
}

// idAt returns the id of a call or a result at a pointer such as /contents/1/parts/0/toolCall/id.
func idAt(at string) string {
	content, part, _ := strings.Cut(strings.TrimPrefix(at, "/contents/"), "/parts/")
	part, _, _ = strings.Cut(part, "/")
	return madeID + content + "-" + part
}

// input converts the contents.
type input struct {
	*converter
	steps steps.Steps
	// calls are the function calls so far.
	calls []call
	// media are the media of results, for models that accept none in results. They follow after the
	// results of their content.
	media []located
	// signed is true if the open turn of the model has its signature for calls.
	signed bool
}

// content converts the content at a position of the list.
func (b *input) content(in *geminiapi.Content, at int) error {
	pointer := "/contents/" + strconv.Itoa(at)
	b.loseRest(pointer, &geminiapi.Content{Unknown: in.Unknown})
	switch role := jsonx.Deref(in.Role); role {
	case modelRole, userRole:
		b.steps.OfUser = role == userRole
	case "":
		b.report.Add(report.Added, pointer+"/role", "the content has no role")
		b.steps.OfUser = true
	case functionRole:
		b.report.Add(report.Approximated, pointer+"/role",
			"results become steps of their own, everything else is of the user")
		b.steps.OfUser = true
	default:
		return &Error{Pointer: pointer + "/role", Problem: "must be user or model"}
	}
	if len(in.Parts) == 0 {
		b.report.Add(report.Approximated, pointer, detailEmpty)
	}
	for i := range in.Parts {
		b.part(in.Parts[i], jsonx.ElementPointer(pointer+"/parts", i))
	}
	b.addMedia()
	return nil
}

// part converts a part. The argument is a copy.
func (b *input) part(p geminiapi.Part, at string) {
	if b.plain && steps.Extension(p.Unknown) != nil {
		b.report.Add(report.Lost, at+"/extraContent", "an option ignores it")
		p.Unknown = steps.WithoutExtension(p.Unknown)
	}
	b.loseOthers(&p, at)
	if b.steps.OfUser {
		b.ask(p, at)
	} else {
		b.answer(p, at)
	}
}

// loseOthers keeps the first of the members of which a part has only one, and reports the others.
func (b *input) loseOthers(p *geminiapi.Part, at string) {
	var others geminiapi.Part
	has := false
	has = keepFirst(&p.FunctionCall, &others.FunctionCall, has)
	has = keepFirst(&p.FunctionResponse, &others.FunctionResponse, has)
	has = keepFirst(&p.ExecutableCode, &others.ExecutableCode, has)
	has = keepFirst(&p.CodeExecutionResult, &others.CodeExecutionResult, has)
	has = keepFirst(&p.ToolCall, &others.ToolCall, has)
	has = keepFirst(&p.ToolResponse, &others.ToolResponse, has)
	has = keepFirst(&p.InlineData, &others.InlineData, has)
	has = keepFirst(&p.FileData, &others.FileData, has)
	keepFirst(&p.Text, &others.Text, has)
	b.loseRest(at, &others)
}

// keepFirst moves a member to others if there is one before it. It reports whether there is one
// now.
func keepFirst[T any](member, other **T, has bool) bool {
	if has {
		move(member, other)
	}
	return has || *member != nil
}

// ask converts a part of the user.
func (b *input) ask(p geminiapi.Part, at string) {
	if p.Thought != nil || p.ThoughtSignature != nil {
		b.loseRest(at, &geminiapi.Part{Thought: p.Thought, ThoughtSignature: p.ThoughtSignature})
		p.Thought, p.ThoughtSignature = nil, nil
	}
	b.signed = false
	if p.FunctionResponse != nil {
		b.result(p, at)
		return
	}
	if p.Text != nil && *p.Text == "" && isText(&p) {
		b.report.Add(report.Approximated, at, detailEmpty)
		p.Text = nil
		b.loseRest(at, &p)
		return
	}
	b.steps.Add(&p, at)
}

// isText reports whether a part has a text and nothing else that becomes a step.
func isText(p *geminiapi.Part) bool {
	return p.InlineData == nil && p.FileData == nil && p.FunctionCall == nil &&
		p.ExecutableCode == nil && p.CodeExecutionResult == nil && p.ToolCall == nil &&
		p.ToolResponse == nil && steps.Extension(p.Unknown) == nil
}

// answer converts a part of the model. How a model reads a video belongs to the input of the user.
func (b *input) answer(p geminiapi.Part, at string) {
	if p.VideoMetadata != nil || p.MediaProcessing != nil {
		b.loseRest(at, &geminiapi.Part{VideoMetadata: p.VideoMetadata,
			MediaProcessing: p.MediaProcessing})
		p.VideoMetadata, p.MediaProcessing = nil, nil
	}
	switch {
	case p.FunctionCall != nil:
		b.call(p, at)
	case p.FunctionResponse != nil:
		b.result(p, at)
	default:
		if isThought(&p) && p.ThoughtSignature != nil {
			b.signed = true
		}
		if p.Thought != nil && p.Text == nil && isText(&p) {
			b.report.Add(report.Approximated, at+"/thought",
				"omitted, because a signature alone is always a thought")
		}
		b.steps.Add(&p, at)
		b.nameSearch(&p)
	}
}

// nameSearch says what the search of a part searches. An interaction has it for the web too.
func (b *input) nameSearch(p *geminiapi.Part) {
	if p.ToolCall == nil || jsonx.Deref(p.ToolCall.ToolType) != geminiapi.ToolTypeGoogleSearchWeb ||
		steps.Extension(p.Unknown) != nil {
		return
	}
	list, _ := b.steps.All()
	list[len(list)-1].SearchType = new(interactionsapi.SearchTypeWebSearch)
}

// isThought reports whether the signature of a part belongs to a thought before the next part.
func isThought(p *geminiapi.Part) bool {
	return jsonx.Deref(p.Thought) || jsonx.Deref(p.Text) == "" && isText(p)
}

// end completes the input.
func (b *input) end() error {
	list, pointers := b.steps.All()
	b.signThoughts(list, pointers)
	b.spreadResolution(list)
	b.quoteResults(list, pointers)
	if b.instruction != "" {
		list = slices.Insert(list, 0, interactions.UserText(b.instruction))
	}
	if len(list) > 0 {
		b.out.Input = interactions.InputOf(list...)
		return nil
	}
	if b.unvalidated || jsonx.Deref(b.rest.ContinuationToken) != "" {
		return nil
	}
	return &Error{Pointer: "/contents", Problem: "has nothing to answer; add a content of the user"}
}

const resolutionPointer = configPointer + "/mediaResolution"

// spreadResolution sets the resolution of the request on each image and video without one.
func (c *converter) spreadResolution(list []interactionsapi.Step) {
	if c.config.MediaResolution == nil {
		return
	}
	word, ok := c.word(resolutionPointer, string(*c.config.MediaResolution), "MEDIA_RESOLUTION_")
	c.config.MediaResolution = nil
	if !ok {
		return
	}
	resolution, spread := interactionsapi.MediaResolution(word), false
	for i := range list {
		content, _ := list[i].Content.AsValue()
		for j := range content {
			if isPicture(&content[j]) && content[j].Resolution == nil {
				content[j].Resolution, spread = &resolution, true
			}
		}
	}
	if spread {
		c.report.Add(report.Approximated, resolutionPointer,
			"set on each image and each video, because an interaction has no common resolution")
		return
	}
	c.report.Add(report.Lost, resolutionPointer, "an interaction has it only on images and videos")
}

func isPicture(c *interactionsapi.Content) bool {
	return c.Type == interactionsapi.ContentTypeImage || c.Type == interactionsapi.ContentTypeVideo
}
