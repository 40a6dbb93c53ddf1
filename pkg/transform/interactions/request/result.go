package request

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/interactions"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/interactions/internal/steps"
	"github.com/gemwire/gemwire/pkg/transform/internal/conversation"
	"github.com/gemwire/gemwire/pkg/transform/internal/unshown"
	"github.com/gemwire/gemwire/pkg/wiretype"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// result is the result of a function, as a step or as a block of a step of the user.
type result struct {
	callID, name *string
	value        jsontext.Value
	isError      bool
	pointer      string
	at           conversation.Location
}

// element returns the location of an element of the value.
func (r *result) element(i int) conversation.Location {
	if r.at.List == "" {
		return r.at.In("result", i)
	}
	return r.at.In(r.at.List+"/"+itoa(r.at.Item)+"/result", i)
}

// answerCall adds a step with the result of a function.
func (b *history) answerCall(s *interactions.InputStep, at conversation.Location) error {
	if err := b.endTurn(); err != nil {
		return err
	}
	visitMembersOfStep(&s.Step, func(name string) {
		switch name {
		case "type", "call_id", "name", "result", "is_error":
		case "signature":
			if *s.Signature != "" {
				b.Report.Add(report.Lost, s.Pointer+"/signature", detailNotHere)
			}
		default:
			b.Report.Add(report.Lost, s.Pointer+"/"+name, detailNotHere)
		}
	})
	b.loseUnknown(s.Pointer, s.Unknown)
	return b.setResult(&result{callID: s.CallID, name: s.Name, value: s.Result,
		isError: jsonx.Deref(s.IsError), pointer: s.Pointer, at: at})
}

// askWithResults adds content of the user that has results of functions. The results go to their
// calls, and the rest is a turn of the user.
func (b *history) askWithResults(s *interactions.InputStep, content []interactionsapi.Content,
	at conversation.Location) error {
	var rest []interactionsapi.Content
	var places []string
	for i := range content {
		block := &content[i]
		if block.Type != interactionsapi.ContentTypeFunctionResult {
			rest, places = append(rest, *block), append(places, s.Block(i))
			continue
		}
		visitMembersOfContent(block, func(name string) {
			if !slices.Contains([]string{"type", "call_id", "name", "result", "is_error"}, name) {
				b.Report.Add(report.Lost, s.Block(i)+"/"+name, detailNotHere)
			}
		})
		b.loseUnknown(s.Block(i), block.Unknown)
		r := &result{callID: block.CallID, name: block.Name, value: block.Result,
			isError: jsonx.Deref(block.IsError), pointer: s.Block(i), at: at.In("content", i)}
		if err := b.setResult(r); err != nil {
			return err
		}
	}
	if len(rest) == 0 {
		return nil
	}
	step := *s
	step.Content = wiretype.ValueOf(rest)
	return b.askContent(&step, at, func(i int) string { return places[i] })
}

// setResult sets the result of the call that it names.
func (b *history) setResult(r *result) error {
	id := jsonx.Deref(r.callID)
	if id == "" {
		return refuse(r.pointer+"/call_id", "must be set, with the id of the call")
	}
	call, err := b.Answered(r.at, conversation.ToID(id))
	if err != nil {
		return err
	}
	response := &geminiapi.FunctionResponse{}
	if call == nil && !b.TakesCachedResults() {
		return refuse(r.pointer+"/call_id", "no call "+strconv.Quote(id)+
			" is in the conversation before it; send the step of the call too")
	}
	if err := b.setValue(response, r); err != nil {
		return err
	}
	if call == nil {
		response.ID, response.Name = r.callID, r.name
		b.AddCachedResult(response, r.at)
		return nil
	}
	if r.name != nil && *r.name != call.Name {
		b.Report.Add(report.Approximated, r.pointer+"/name", "replaced by the name of the call")
	}
	b.SetResult(call, response, r.at)
	return nil
}

// These are the members of a response that Gemini documents for results that are not objects, and
// for errors.
const outputMember, errorMember = "output", "error"

// setValue sets the value of a result. An object stays byte for byte. A list of content becomes a
// text with media.
func (b *history) setValue(out *geminiapi.FunctionResponse, r *result) error {
	value := r.value
	if bytes.Contains(value, []byte(`\u`)) {
		value = jsontext.Value(b.ReplaceLone(string(value), r.at, "/result"))
	}
	member := outputMember
	if r.isError {
		member = errorMember
	}
	switch value.Kind() {
	case jsontext.KindInvalid:
		out.Response = jsontext.Value("{}")
		if r.isError {
			out.Response = jsonx.Object(errorMember, jsontext.Value(`""`))
		}
	case jsontext.KindBeginObject:
		if r.isError {
			out.Response = jsonx.Object(errorMember, value)
			return nil
		}
		b.SetResponse(out, string(value), r.at, "/result")
	case jsontext.KindBeginArray:
		if content := contentOf(value); content != nil {
			return b.setContent(out, r, content)
		}
		out.Response = jsonx.Object(member, value)
	default:
		out.Response = jsonx.Object(member, value)
	}
	return nil
}

// contentOf returns a result that is a list of content, or nil for any other list.
func contentOf(value jsontext.Value) []interactionsapi.Content {
	var content []interactionsapi.Content
	if json.Unmarshal(value, &content) != nil {
		return nil
	}
	for i := range content {
		switch content[i].Type {
		case interactionsapi.ContentTypeText, interactionsapi.ContentTypeImage,
			interactionsapi.ContentTypeAudio, interactionsapi.ContentTypeVideo,
			interactionsapi.ContentTypeDocument:
		default:
			return nil
		}
	}
	return content
}

// setContent sets a result that is a list of content.
func (b *history) setContent(out *geminiapi.FunctionResponse, r *result,
	content []interactionsapi.Content) error {
	var texts []string
	isJoined := false
	content, _ = withTypes(content)
	for i := range content {
		pointer := r.pointer + "/result/" + strconv.Itoa(i)
		part, rest := steps.PartOfContent(&content[i])
		if rest.Annotations != nil {
			b.loseAnnotations(0, "", nil, pointer+"/annotations")
			rest.Annotations = nil
		}
		unshown.Add(&b.Report, pointer, &rest, unshown.Nothing, detailNotHere)
		if part.Text != nil {
			isJoined = isJoined || i > 0
			texts = append(texts, *part.Text)
			continue
		}
		if part.InlineData != nil || part.FileData != nil {
			if err := b.fitResultMedia(&part, pointer); err != nil {
				return err
			}
		}
		b.AddMedia(out, &part, r.element(i), "/resolution")
	}
	if isJoined {
		b.Report.Add(report.Approximated, r.pointer+"/result",
			"the texts are joined, because Gemini has one text and media after it")
	}
	text := strings.Join(texts, "\n")
	if r.isError {
		b.SetError(out, text, r.at, "/result")
		return nil
	}
	if len(texts) == 0 || text == "" {
		b.SetResponse(out, text, r.at, "/result")
		return nil
	}
	quoted, _ := jsontext.AppendQuote(nil, text) // it replaces invalid UTF-8
	out.Response = jsonx.Object(outputMember, quoted)
	return nil
}

// fitResultMedia checks media of a result.
func (b *history) fitResultMedia(part *geminiapi.Part, pointer string) error {
	resolution := part.MediaResolution
	part.MediaResolution = nil
	err := b.fitMedia(part, func(member string) string { return pointer + member })
	part.MediaResolution = resolution // AddMedia reports it
	return err
}

// loseUnknown reports unknown members, if there are any.
func (b *history) loseUnknown(pointer string, unknown jsontext.Value) {
	if unknown != nil {
		b.LoseUnknown(pointer, unknown)
	}
}
