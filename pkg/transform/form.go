package transform

import (
	"net/http"
	"slices"
)

// Form is an API that clients speak. A field may be empty if its comment says so.
type Form struct {
	// Name names the form in logs and metrics, for example "chat_completions".
	Name string
	// Paths are the paths at which a server answers requests. Lines of bulk jobs have the first one
	// as url.
	Paths []string
	// CountName and CountPaths are the name and the paths of the token count operation. They are
	// empty for a form without one.
	CountName  string
	CountPaths []string

	// IDHeader is the response header with the id of the request. TimeHeader is the response header
	// with the duration of the request in milliseconds; it may be empty.
	IDHeader, TimeHeader string
	// CheckHeader returns an error if it refuses the header of a request. It may be nil.
	CheckHeader func(header http.Header) error

	// Decode reads a request. Its error has a method Location with the pointer and the offset of
	// the problem.
	Decode func(body []byte) (Request, error)
	// New returns an empty request, for an answer whose request is not known.
	New func() Request
	// DecodeCount reads a token count request, and AppendCount writes the count. They are nil for a
	// form without token counts.
	DecodeCount func(body []byte) (Request, error)
	AppendCount func(dst []byte, tokens int) ([]byte, error)

	// Status returns the HTTP status of an error. If it is nil, the error's own status is used.
	Status func(e *Error) int
	// AppendError appends the body of an error response.
	AppendError func(dst []byte, e *Error) []byte
	// HasHeartbeat is true if streams have an event that only shows that they are alive. A server
	// sends it in place of comments, which clients of the form treat as silence.
	HasHeartbeat bool
	// CountsFirst is true if streams begin with the token count of the prompt.
	CountsFirst bool
	// Memory says what a server may remember for the form between two requests.
	Memory Memory
	// Broken says which broken answers of the model the form cannot express. A server then reports
	// an error.
	Broken Broken

	// Request, Response and Stream are the documents of the form.
	Request, Response, Stream Document
	// Back converts in the other direction. It is nil for a form without servers that replace
	// Gemini.
	Back *Back
	// Counterparts maps members of the form to members of Gemini's API.
	Counterparts Counterparts
}

// Memory says what a server may remember for a form between two requests of a client. Clients of
// the form do not send it back, or not always.
type Memory int

const (
	// NoMemory is for forms whose requests have everything.
	NoMemory Memory = iota
	// CallSignatures are the thought signatures of calls, by the ids of the calls. The body of a
	// request is an *openaiapi.CreateChatCompletionRequest.
	CallSignatures
	// TextSignatures are the thought signatures of texts, by the conversation before them. The body
	// of a request is an *anthropicapi.CreateMessageRequest.
	TextSignatures
	// StoredResponses are responses and conversations that requests continue by their ids. The body
	// of a request is an *openaiapi.CreateResponseRequest.
	StoredResponses
	// StoredInteractions are interactions that requests continue by their ids, and that run in the
	// background. The body of a request is an *interactionsapi.CreateInteractionRequest.
	StoredInteractions
)

// Broken says which broken answers of the model a form cannot express. An example is a malformed
// function call.
type Broken int

const (
	// BrokenNever is for forms that can express every reason why the model stopped.
	BrokenNever Broken = iota
	// BrokenSilent is for forms in which a broken answer looks like a valid answer without text. It
	// applies if the form shows nothing of the answer.
	BrokenSilent
	// BrokenAlways is for forms in which every broken answer looks like a valid one.
	BrokenAlways
)

// Counterparts are pairs of JSON pointers for requests, and for answers with their stream events.
// "*" stands for a number that both sides share.
type Counterparts struct {
	// Request maps members of the form to Gemini's, Response members of Gemini to the form's.
	Request, Response [][2]string
}

// StatusOf returns the HTTP status of an error in the form.
func (f *Form) StatusOf(e *Error) int {
	if f.Status != nil {
		return f.Status(e)
	}
	return e.Status
}

// Documents returns the documents of the form.
func (f *Form) Documents() [3]*Document { return [3]*Document{&f.Request, &f.Response, &f.Stream} }

// Forms is a table of forms. It must not be changed while a program uses it.
type Forms []*Form

// At returns the form that answers requests at a path, or nil.
func (all Forms) At(path string) *Form {
	for _, f := range all {
		if slices.Contains(f.Paths, path) {
			return f
		}
	}
	return nil
}

// Named returns the form with a name or a CountName, or nil.
func (all Forms) Named(name string) *Form {
	for _, f := range all {
		if name != "" && (f.Name == name || f.CountName == name) {
			return f
		}
	}
	return nil
}
