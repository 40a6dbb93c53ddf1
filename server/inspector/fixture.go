package inspector

import (
	"cmp"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// fixture answers with a script for package fakegemini and gemwire emulate. The script gives the
// same answers as Gemini.
func (i *Inspector) fixture(w http.ResponseWriter, r *http.Request) {
	kept, ok := i.kept(w, r)
	if !ok {
		return
	}
	data, err := fixtureOf(&kept)
	if err != nil {
		refuse(w, http.StatusConflict, err.Error())
		return
	}
	download(w, "gemwire-"+strconv.Itoa(kept.number)+".fixture.json", "application/json", data)
}

// The members of a script; see docs/testing.md.
type (
	script struct {
		Fixtures []scriptFixture `json:"fixtures"`
	}
	scriptFixture struct {
		Name    string          `json:"name"`
		Match   scriptMatch     `json:"match"`
		Replies [][]scriptBlock `json:"replies"`
	}
	scriptMatch struct {
		Model      string            `json:"model,omitzero"`
		Prompt     map[string]string `json:"prompt,omitzero"`
		Turn       int               `json:"turn"`
		ToolResult string            `json:"toolResult,omitzero"`
	}
	scriptBlock struct {
		Chunk jsontext.Value `json:"chunk,omitzero"`
		Fault *scriptFault   `json:"fault,omitzero"`
	}
	scriptFault struct {
		Kind       string `json:"kind"`
		HTTPStatus int    `json:"httpStatus,omitzero"`
		Status     string `json:"status,omitzero"`
		Message    string `json:"message,omitzero"`
		RetryDelay string `json:"retryDelay,omitzero"`
		Body       string `json:"body,omitzero"`
	}
)

// fixtureOf returns a script that repeats the answers to the attempts of an exchange. It has one
// fixture for each run of attempts with the same model.
func fixtureOf(r *record) ([]byte, error) {
	if len(r.tries) == 0 {
		return nil, cmp.Or(errUnsent[r.unsent()], errNoBodies)
	}
	var s script
	model := ""
	for n, try := range r.talksOfGemini() {
		match, err := matchOf(try.request)
		if err != nil {
			return nil, err
		}
		reply, err := replyOf(try)
		if err != nil {
			return nil, err
		}
		if n == 0 || match.Model != model {
			model = match.Model
			s.Fixtures = append(s.Fixtures,
				scriptFixture{Name: "exchange " + strconv.Itoa(r.number), Match: match})
		}
		last := &s.Fixtures[len(s.Fixtures)-1]
		last.Replies = append(last.Replies, reply)
	}
	return marshalIndented(s)
}

var (
	errNotSent   = errors.New("nothing was sent to Gemini")
	errNoContent = errors.New("only requests to generate content can be saved as a fixture")
	errNoAnswer  = errors.New("no answer from Gemini")
)

// talksOfGemini returns the attempts in Gemini's form. If a client uses Gemini's form with a server
// of another API, its own request and answer are the only attempt.
func (r *record) talksOfGemini() []*conversation {
	if r.isNative() && (r.isFromOpenAI() || r.isFromInteractions()) {
		return []*conversation{&r.client}
	}
	var out []*conversation
	for n := range r.tries {
		out = append(out, r.tries[n].gemini())
	}
	return out
}

// matchOf returns the conditions that identify a request: model, prompt, turn, and the name of the
// function whose result it has.
func matchOf(m *message) (scriptMatch, error) {
	if m == nil {
		return scriptMatch{}, errNotSent
	}
	_, call, _ := strings.Cut(m.url, "models/")
	model, method, _ := strings.Cut(call, ":")
	if !strings.HasPrefix(method, "generateContent") &&
		!strings.HasPrefix(method, "streamGenerateContent") {
		return scriptMatch{}, errNoContent
	}
	if m.body.cut {
		return scriptMatch{}, m.body.missing()
	}
	request, err := gemini.DecodeRequest([]byte(m.body.whole()))
	if err != nil {
		return scriptMatch{}, errNoContent
	}
	match := scriptMatch{Model: model}
	for n := range request.Contents {
		match.add(&request.Contents[n])
	}
	return match, nil
}

// add handles the next turn of a conversation.
func (m *scriptMatch) add(content *geminiapi.Content) {
	m.ToolResult = ""
	if jsonx.Deref(content.Role) == "model" {
		m.Turn++
		return
	}
	for n := range content.Parts {
		part := &content.Parts[n]
		if part.FunctionResponse != nil {
			m.ToolResult = jsonx.Deref(part.FunctionResponse.Name)
		}
		if text := jsonx.Deref(part.Text); text != "" && !strings.Contains(text, leftOutTag) {
			m.Prompt = map[string]string{"contains": text}
		}
	}
}

// replyOf returns the answer to an attempt.
func replyOf(try *conversation) ([]scriptBlock, error) {
	switch {
	case try.response == nil:
		return nil, errNoAnswer
	case try.response.status >= http.StatusBadRequest:
		return []scriptBlock{{Fault: faultOf(try.response)}}, nil
	case len(try.chunks) == 0:
		return chunkOf(try.response.body)
	}
	var blocks []scriptBlock
	for _, chunk := range try.chunks {
		chunkBlocks, err := chunkOf(chunk.body)
		if err != nil {
			return nil, err
		}
		blocks = append(blocks, chunkBlocks...)
	}
	return blocks, nil
}

// chunkOf returns a chunk, a whole response, or a fault.
func chunkOf(b body) ([]scriptBlock, error) {
	if err := b.missing(); err != nil {
		return nil, err
	}
	value := jsontext.Value(b.whole())
	if !value.IsValid() || value.Kind() != jsontext.KindBeginObject {
		return []scriptBlock{{Fault: &scriptFault{Kind: "text", Body: b.text}}}, nil
	}
	if response, err := gemini.DecodeResponse(value); err == nil && gemini.IsError(response) {
		return []scriptBlock{{Fault: faultOf(&message{body: b})}}, nil
	}
	return []scriptBlock{{Chunk: value}}, nil
}

// faultOf returns the fault for an error response.
func faultOf(m *message) *scriptFault {
	failure := gemini.DecodeError(m.status, nil, []byte(m.body.whole()))
	if !failure.FromAPI() {
		return &scriptFault{Kind: "text", HTTPStatus: m.status, Body: m.body.text}
	}
	f := &scriptFault{Kind: "error", HTTPStatus: failure.HTTPStatus, Status: string(failure.Status),
		Message: failure.Message}
	if failure.RetryAfter > 0 {
		f.RetryDelay = failure.RetryAfter.Round(time.Millisecond).String()
	}
	return f
}

// marshalIndented returns indented JSON.
func marshalIndented(value any) ([]byte, error) {
	return json.Marshal(value, jsontext.WithIndent("  "))
}
