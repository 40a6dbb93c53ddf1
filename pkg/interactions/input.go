package interactions

import (
	"strconv"

	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/wiretype"
)

// Input is the input of a request or of a stored interaction.
type Input = wiretype.StringOr[wiretype.OneOrList[interactionsapi.Step]]

// InputOf returns an input that is a list of steps.
func InputOf(steps ...interactionsapi.Step) Input {
	return wiretype.ValueOf(wiretype.ListOf(steps))
}

// InputStep is a step of an input and its place in the request.
type InputStep struct {
	interactionsapi.Step
	// Pointer is the place of the step, such as "/input/2". Blocks of content that are elements of
	// the input are one step with the place of the first block.
	Pointer string

	form  inputForm
	first int // with blocksInInput: the element that is the first block
}

// inputForm says where the content of an InputStep is in the request.
type inputForm uint8

const (
	blocksInStep  inputForm = iota // a list in the step
	textInStep                     // a text in the step
	blocksInInput                  // elements of the input
	wholeInput                     // the input itself
)

// Block returns the place of a block of the step's content, by its index.
func (s *InputStep) Block(i int) string {
	switch s.form {
	case textInStep:
		return s.Pointer + "/content"
	case blocksInInput:
		return "/input/" + strconv.Itoa(s.first+i)
	case wholeInput:
		return s.Pointer
	default:
		return s.Pointer + "/content/" + strconv.Itoa(i)
	}
}

// Steps returns the steps of an input, whichever form it has. A text is one step of type
// user_input, and so are blocks of content that follow each other. A turn of the revision before
// May 2026 is a step of type user_input or model_output. Content of all steps is a list. The result
// shares memory with the input.
func Steps(in Input) []InputStep {
	const at = "/input"
	if text, ok := in.AsString(); ok {
		step := userInput([]interactionsapi.Content{TextContent(text)})
		return []InputStep{{Step: step, Pointer: at, form: wholeInput}}
	}
	form, _ := in.AsValue()
	if one := form.AsOne(); one != nil {
		if isContent(one) {
			return []InputStep{{Step: userInput([]interactionsapi.Content{contentOf(one)}),
				Pointer: at, form: wholeInput}}
		}
		return []InputStep{stepAt(one, at)}
	}
	list, _ := form.AsList()
	return listSteps(list)
}

// listSteps returns the steps of an input that is a list.
func listSteps(list []interactionsapi.Step) []InputStep {
	steps := make([]InputStep, 0, len(list))
	var blocks []interactionsapi.Content // that follow each other in the list
	for i := range list {
		pointer := "/input/" + strconv.Itoa(i)
		if !isContent(&list[i]) {
			steps, blocks = append(steps, stepAt(&list[i], pointer)), nil
			continue
		}
		if blocks = append(blocks, contentOf(&list[i])); len(blocks) == 1 {
			steps = append(steps, InputStep{Pointer: pointer, form: blocksInInput, first: i})
		}
		steps[len(steps)-1].Step = userInput(blocks)
	}
	return steps
}

// stepAt returns a step of an input. It gives a turn the type of a step.
func stepAt(s *interactionsapi.Step, pointer string) InputStep {
	out := InputStep{Step: *s, Pointer: pointer}
	if role := jsonx.Deref(s.Role); s.Type == "" && role != "" {
		out.Type = interactionsapi.StepTypeUserInput
		if role == "model" {
			out.Type = interactionsapi.StepTypeModelOutput
		}
	}
	if text, ok := s.Content.AsString(); ok {
		out.Content = wiretype.ValueOf([]interactionsapi.Content{TextContent(text)})
		out.form = textInStep
	}
	return out
}

// contentTypes are the types of blocks of content in an input. A step of type function_result is a
// step. The list is never modified.
var contentTypes = map[interactionsapi.ContentType]bool{
	interactionsapi.ContentTypeText: true, interactionsapi.ContentTypeImage: true,
	interactionsapi.ContentTypeAudio: true, interactionsapi.ContentTypeVideo: true,
	interactionsapi.ContentTypeDocument: true,
}

// isContent reports whether an element of an input is a block of content.
func isContent(s *interactionsapi.Step) bool {
	return contentTypes[interactionsapi.ContentType(s.Type)] ||
		s.Type == "" && s.Role == nil && s.Text != nil
}

// contentOf returns an element of an input as a block of content.
func contentOf(s *interactionsapi.Step) interactionsapi.Content {
	return interactionsapi.Content{
		Type: interactionsapi.ContentType(s.Type), Text: s.Text, Annotations: s.Annotations,
		Data: s.Data, URI: s.URI, MIMEType: s.MIMEType, Resolution: s.Resolution,
		Channels: s.Channels, SampleRate: s.SampleRate, Name: s.Name, Processing: s.Processing,
		Unknown: s.Unknown,
	}
}

// userInput returns a step with content of the user.
func userInput(content []interactionsapi.Content) interactionsapi.Step {
	return interactionsapi.Step{
		Type:    interactionsapi.StepTypeUserInput,
		Content: wiretype.ValueOf(content),
	}
}

// ContentOf returns the content of a step as a list, also if the step has a text in its place.
func ContentOf(s *interactionsapi.Step) []interactionsapi.Content {
	if text, ok := s.Content.AsString(); ok {
		return []interactionsapi.Content{TextContent(text)}
	}
	content, _ := s.Content.AsValue()
	return content
}
