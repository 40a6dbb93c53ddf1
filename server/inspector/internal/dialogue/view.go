package dialogue

import (
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Exchange has the documents of an exchange.
type Exchange struct {
	// Gemini are the documents in Gemini's form.
	Gemini Documents
	// Client are the client's documents. They are zero if only Gemini's locations are of interest.
	Client Documents
	// IsSame reports that Gemini's documents are the client's.
	IsSame bool
	// IsPrepared reports that Gemini's request was not sent, so that its locations mean nothing.
	IsPrepared bool
	// Unconverted is the client's request if it has no form of Gemini's. IsRefused reports that the
	// gateway refused the request.
	Unconverted string
	IsRefused   bool
	// Counterparts limit where a value of Gemini's document is looked for in the client's document.
	// Without them it is looked for everywhere.
	Counterparts transform.Counterparts
}

// Documents are a request and its response. A stream has chunks in place of a response.
type Documents struct {
	Request  string
	Response string
	Chunks   []string
}

// View is an exchange as a conversation.
type View struct {
	// Messages are the messages of the request. Answer has one message for each candidate.
	Messages []Message `json:"messages"`
	Answer   []Message `json:"answer"`
	// Usage is nil for an answer without token counts.
	Usage *Usage `json:"usage"`
	// Finish is the first candidate's native finish reason, or "".
	Finish string `json:"finish"`
	// Note says what is missing and why, or "".
	Note string `json:"note"`

	tools, structured, cached, thinks bool
}

// Usage has the token counts of an answer. Output includes Thinking.
type Usage struct {
	Input    int `json:"input"`
	Output   int `json:"output"`
	Thinking int `json:"thinking"`
	Cached   int `json:"cached"`
	Total    int `json:"total"`
}

// Role is the author of a message.
type Role string

// The roles. A message with results of functions has the role Tool.
const (
	System Role = "system"
	User   Role = "user"
	Model  Role = "model"
	Tool   Role = "tool"
)

// Message is one message of a conversation.
type Message struct {
	Role  Role   `json:"role"`
	Parts []Part `json:"parts"`
}

// Of returns the conversation of an exchange.
func Of(e *Exchange) *View {
	v := &View{Messages: []Message{}, Answer: []Message{}}
	v.readRequest(e)
	v.readAnswer(e)
	return v
}

// notes of a view.
const (
	noteNoRequest = "There is no request in Gemini's form. Either bodies were not being recorded, " +
		"or the request has no messages."
	noteRefused = "The gateway refused the request. It was not sent to Gemini."
	noteClients = "These are the messages of the client's request."
	noteNotRead = "Its messages cannot be read."

	noteCutRequest = "The recorded request is not complete, so its messages cannot be shown."
	noteCutAnswer  = "The recorded answer is not complete, so it cannot be put together."
	notePrepared   = "The request was not sent to Gemini. These are the messages of the " +
		"client's request."
)

// note adds a sentence to the note.
func (v *View) note(text string) { v.Note = strings.TrimSpace(v.Note + " " + text) }

func (v *View) readRequest(e *Exchange) {
	if e.Gemini.Request == "" {
		v.readUnconverted(e)
		return
	}
	request, prefix, err := decodeRequest([]byte(e.Gemini.Request))
	if err != nil {
		v.note(noteCutRequest)
		return
	}
	if e.IsPrepared {
		v.note(notePrepared)
	}
	l := newLocator(e, e.Gemini.Request, e.Client.Request, nil, reversed(e.Counterparts.Request))
	if request.SystemInstruction != nil {
		v.add(System, request.SystemInstruction.Parts, prefix+"/systemInstruction", l)
	}
	for i := range request.Contents {
		content := &request.Contents[i]
		v.add(roleOf(content), content.Parts, prefix+"/contents/"+decimal(i), l)
	}
	v.noteSettings(request)
}

// readUnconverted reads the messages of a request that has no form of Gemini's.
func (v *View) readUnconverted(e *Exchange) {
	v.Messages = append(v.Messages, unconverted(e.Unconverted)...)
	switch isRead := len(v.Messages) > 0; {
	case e.IsRefused && isRead:
		v.note(noteRefused + " " + noteClients)
	case e.IsRefused:
		v.note(noteRefused + " " + noteNotRead)
	case isRead:
		v.note(noteClients)
	default:
		v.note(noteNoRequest)
	}
}

// decodeRequest returns a request to generate content. A request to count tokens may contain one,
// and prefix is its location then.
func decodeRequest(data []byte) (r *geminiapi.GenerateContentRequest, prefix string, err error) {
	for _, name := range []string{"generateContentRequest", "generate_content_request"} {
		if inner := jsonx.Member(data, name); len(inner) > 0 {
			data, prefix = inner, "/"+name
			break
		}
	}
	r, err = gemini.DecodeRequest(data)
	return r, prefix, err
}

func roleOf(content *geminiapi.Content) Role {
	if jsonx.Deref(content.Role) == "model" {
		return Model
	}
	for i := range content.Parts {
		if content.Parts[i].FunctionResponse != nil {
			return Tool
		}
	}
	if role := jsonx.Deref(content.Role); role == "system" {
		return System
	}
	return User
}

// add adds a message with the location of its content.
func (v *View) add(role Role, parts []geminiapi.Part, pointer string, l *locator) {
	m := Message{Role: role, Parts: []Part{}}
	for i := range parts {
		m.Parts = append(m.Parts, l.part(&parts[i], pointer+"/parts/"+decimal(i)))
	}
	v.Messages = append(v.Messages, m)
}

// noteSettings notes what the request uses.
func (v *View) noteSettings(r *geminiapi.GenerateContentRequest) {
	v.tools = len(r.Tools) > 0
	v.cached = jsonx.Deref(r.CachedContent) != ""
	if c := r.GenerationConfig; c != nil {
		v.structured = len(c.ResponseJSONSchema) > 0 || len(c.ResponseJSONSchemaTrial) > 0 ||
			c.ResponseSchema != nil || c.ResponseFormat != nil ||
			jsonx.Deref(c.ResponseMIMEType) == "application/json"
		v.thinks = c.ThinkingConfig != nil && jsonx.Deref(c.ThinkingConfig.IncludeThoughts)
	}
}

// spelled returns pointers in the spelling of a document.
func spelled(document string) func(string) string {
	spelling := report.SpellingOf([]byte(document))
	return func(pointer string) string {
		// An element of a list that the document writes as one object has no number.
		return spelling.Pointer(pointer)
	}
}

// compact returns a JSON value without white space, or "" for none.
func compact(value any) string {
	raw, ok := value.(jsontext.Value)
	if !ok {
		data, err := json.Marshal(value)
		if err != nil {
			return ""
		}
		raw = data
	}
	if len(raw) == 0 {
		return ""
	}
	raw = raw.Clone()
	_ = raw.Compact() // An invalid value is shown unchanged.
	return string(raw)
}
