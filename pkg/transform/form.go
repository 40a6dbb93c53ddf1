package transform

import (
	"net/http"
	"slices"
)

// Form is an API that clients speak. Fields whose comment says so may be empty.
type Form struct {
	// Name names the form in logs and metrics, for example "chat_completions".
	Name string
	// Paths are where a server answers requests. The first one is the url of lines of bulk jobs.
	Paths []string
	// CountName and CountPaths are those of the operation that counts tokens. They are empty for a
	// form without one.
	CountName  string
	CountPaths []string

	// IDHeader is the header of answers with the id of the request. TimeHeader is the one with the
	// milliseconds that the request took; it may be empty.
	IDHeader, TimeHeader string
	// CheckHeader refuses a request by its header. It may be nil.
	CheckHeader func(header http.Header) error

	// Decode reads a request. Its error has a method Location with the pointer and the offset of
	// what is wrong.
	Decode func(body []byte) (Request, error)
	// New returns an empty request, for an answer whose request is not known.
	New func() Request
	// DecodeCount reads a request to count tokens, and AppendCount writes the count. They are nil
	// for a form without that.
	DecodeCount func(body []byte) (Request, error)
	AppendCount func(dst []byte, tokens int) ([]byte, error)

	// Status returns the HTTP status of an error. It may be nil, for the error's own.
	Status func(e *Error) int
	// AppendError appends the body that reports an error.
	AppendError func(dst []byte, e *Error) []byte
	// HasHeartbeat is whether streams have an event that only says that they are alive. A server
	// sends that in place of comments, which the form's clients do not count.
	HasHeartbeat bool
	// Broken says which answers that the model could not make have no words in the form, so that a
	// server reports an error.
	Broken Broken

	// Request, Response and Stream are the documents of the form.
	Request, Response, Stream Document
	// Counterparts says where members of the form stand in Gemini's API.
	Counterparts Counterparts
}

// Broken says which answers that the model could not make, such as a call that is no call, have no
// words in a form.
type Broken int

const (
	// BrokenNever is for forms that can say why the model stopped, whatever the reason.
	BrokenNever Broken = iota
	// BrokenSilent is for forms in which such an answer looks like a good one without words, where
	// nothing of it is shown.
	BrokenSilent
	// BrokenAlways is for forms in which it looks like a good one.
	BrokenAlways
)

// Counterparts are pairs of JSON pointers, of requests and of answers with the events of streams.
// "*" stands for a number that both sides share.
type Counterparts struct {
	// Request leads from the form to Gemini, Response from Gemini to the form.
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

// Forms is a table of forms. Nothing changes it once a program has it.
type Forms []*Form

// At returns the form whose requests are answered at a path, nil for none.
func (all Forms) At(path string) *Form {
	for _, f := range all {
		if slices.Contains(f.Paths, path) {
			return f
		}
	}
	return nil
}

// Named returns the form of a name, which may be that of its count, nil for none.
func (all Forms) Named(name string) *Form {
	for _, f := range all {
		if name != "" && (f.Name == name || f.CountName == name) {
			return f
		}
	}
	return nil
}
