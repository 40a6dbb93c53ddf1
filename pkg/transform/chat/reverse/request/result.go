package request

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/go-json-experiment/json"
)

// pendingCall is a call of the model that needs a result.
type pendingCall struct {
	id       string // the sent id
	wireID   string // Gemini's id, or ""
	name     string
	at       string
	answered bool
}

// result inserts a function result directly after its call, after earlier results.
func (b *conversation) result(p *geminiapi.Part, at string) error {
	rest := *p
	rest.FunctionResponse = nil
	b.loseRest(at, &rest)
	at += "/functionResponse"
	call := b.answeredBy(p.FunctionResponse)
	if call == nil {
		return b.addOrphan(p.FunctionResponse, at)
	}
	call.answered = true
	m := openai.ToolMessage(call.id, resultText(p.FunctionResponse))
	b.loseResultMembers(p.FunctionResponse, call, at)
	if err := b.addMedia(&m, p.FunctionResponse, at); err != nil {
		return err
	}
	b.out.Messages = slices.Insert(b.out.Messages, b.results, m)
	b.results++
	if b.said {
		b.report.Add(report.Approximated, at,
			"moved directly after its call, before the user's messages between them")
	}
	return nil
}

// answeredBy returns the call that a result belongs to: the call of its id, else the first call of
// its name without a result. It returns nil if no such call waits.
func (b *conversation) answeredBy(result *geminiapi.FunctionResponse) *pendingCall {
	if id := jsonx.Deref(result.ID); id != "" {
		for i := range b.calls {
			if call := &b.calls[i]; !call.answered && call.wireID == id {
				return call
			}
		}
	}
	for i := range b.calls {
		if call := &b.calls[i]; !call.answered && call.name == jsonx.Deref(result.Name) {
			return call
		}
	}
	return nil
}

// loseResultMembers reports the members of a result that a tool message does not have.
func (b *conversation) loseResultMembers(result *geminiapi.FunctionResponse, call *pendingCall,
	at string) {
	rest := *result
	rest.Response, rest.Parts = nil, nil
	if jsonx.Deref(rest.Name) != call.name {
		b.report.Add(report.Approximated, at+"/name",
			"the call with its id names another function, which is used")
	}
	if id := jsonx.Deref(rest.ID); id != call.wireID {
		b.report.Add(report.Approximated, at+"/id",
			"no call has it, so the first call of its name without a result is used")
	}
	rest.Name, rest.ID = nil, nil
	b.loseRest(at, &rest)
}

// resultText returns a result as text. An object stays as it is, byte for byte. If the conventional
// member with one text is all it has, the result is that text.
func resultText(result *geminiapi.FunctionResponse) string {
	response := jsonx.NonNull(result.Response)
	if response == nil {
		return "{}"
	}
	if !bytes.Contains(response, []byte(`"output"`)) { // as in most results
		return string(response)
	}
	members := 0
	for range jsonx.Members(response) {
		members++
	}
	var text string
	if members != 1 || json.Unmarshal(jsonx.Member(response, "output"), &text) != nil ||
		!isPlainText(text) {
		return string(response)
	}
	return text
}

// isPlainText reports whether a text reads back as a text. A text that starts like an object or a
// list does not.
func isPlainText(text string) bool {
	text = strings.TrimLeft(text, " \n\r\t")
	return text != "" && text[0] != '{' && text[0] != '['
}

// addMedia adds the media of a result to its extension, else to the user message after all results.
func (b *conversation) addMedia(m *openaiapi.ChatMessage, result *geminiapi.FunctionResponse,
	at string) error {
	var preserved []openaiapi.PreservedPart
	for i := range result.Parts {
		at := at + "/parts/" + strconv.Itoa(i)
		media := b.mediaOf(&result.Parts[i], at)
		if !b.plain {
			preserved = append(preserved, openaiapi.PreservedPart{Part: &media})
			continue
		}
		part, err := b.part(&media, at)
		if err != nil {
			return err
		}
		if part.Type != "" {
			b.report.Add(report.Approximated, at,
				"moved to a user message after all results, because tool messages can have only texts")
			b.media = append(b.media, part)
		}
	}
	if preserved != nil {
		m.ExtraContent = &openaiapi.ExtraContent{Google: &openaiapi.GoogleExtraContent{Parts: preserved}}
	}
	return nil
}

// mediaOf converts a part of a result with media to a part of a turn. It reports the other members
// of the part.
func (b *conversation) mediaOf(p *geminiapi.FunctionResponsePart, at string) geminiapi.Part {
	b.loseRest(at, &geminiapi.Part{MediaProcessing: p.MediaProcessing, Unknown: p.Unknown})
	return geminiapi.Part{InlineData: (*geminiapi.Blob)(p.InlineData),
		FileData: (*geminiapi.FileData)(p.FileData)}
}

// addOrphan turns a result whose call is not in the conversation into text and media of the user,
// for example if a client has cut off the beginning. OpenAI accepts no result without its call.
func (b *conversation) addOrphan(result *geminiapi.FunctionResponse, at string) error {
	b.report.Add(report.Approximated, at,
		"converted to text of the user, because its call is not in the conversation or already has a result")
	rest := *result
	rest.Name, rest.Response, rest.Parts = nil, nil, nil
	b.loseRest(at, &rest)
	text := "Result of the function " + strconv.Quote(jsonx.Deref(result.Name)) + ": " +
		resultText(result)
	b.user = append(b.user, openai.TextPart(text))
	for i := range result.Parts {
		at := at + "/parts/" + strconv.Itoa(i)
		media := b.mediaOf(&result.Parts[i], at)
		part, err := b.part(&media, at)
		if err != nil {
			return err
		}
		if part.Type != "" {
			b.user = append(b.user, part)
		}
	}
	return nil
}

// checkAnswered returns an error if a call of the last turn with calls has no result. OpenAI
// refuses that.
func (b *conversation) checkAnswered() error {
	if b.unvalidated {
		return nil
	}
	for i := range b.calls {
		if call := &b.calls[i]; !call.answered {
			return &Error{Pointer: call.at,
				Problem: "a result for the call of " + strconv.Quote(call.name) + " is missing"}
		}
	}
	return nil
}
