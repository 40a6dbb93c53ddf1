// Package fault is what goes wrong between a client and Gemini: errors of the API, and answers that
// stall, are cut, are damaged or are no answers.
package fault

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/duration"
)

// Kind names a fault.
type Kind string

// Errors of the API. In front of an answer they have their HTTP status; after the first chunk of a
// stream they are among the events, and in an answer that is no stream they are the body of status
// 200.
const (
	Error            Kind = "error"
	RateLimited      Kind = "rateLimited"
	DailyQuota       Kind = "dailyQuota"
	Internal         Kind = "internal"
	Unavailable      Kind = "unavailable"
	DeadlineExceeded Kind = "deadlineExceeded"
	Unauthenticated  Kind = "unauthenticated"
	PermissionDenied Kind = "permissionDenied"
	InvalidKey       Kind = "invalidKey"
	NotFound         Kind = "notFound"
)

// Answers that are not the API's.
const (
	HTML     Kind = "html"
	Text     Kind = "text"
	Empty    Kind = "empty"
	Redirect Kind = "redirect"
)

// Ways in which an answer breaks or ends.
const (
	Stall    Kind = "stall"
	Cut      Kind = "cut"
	Truncate Kind = "truncate"
	Reset    Kind = "reset"
	Garbage  Kind = "garbage"
)

// Ways in which an answer is sent otherwise than it should be, from where the fault stands.
const (
	Slow        Kind = "slow"
	ContentType Kind = "contentType"
	Large       Kind = "large"
)

// Fault is one fault. Beside Kind, only what the kind takes may be set.
type Fault struct {
	Kind Kind `json:"kind"`

	// HTTPStatus is the status of an error, 500 without one, of a page or of an empty body, 200
	// without one, and of a redirect, 302 without one.
	HTTPStatus int `json:"httpStatus,omitzero"`
	// Status is the canonical code of an error; without one, that of HTTPStatus.
	Status geminiapi.ErrorStatus `json:"status,omitzero"`
	// Message is that of an error; without one, what the API says in such a case.
	Message string `json:"message,omitzero"`
	// RetryDelay is what RetryInfo asks a client to wait.
	RetryDelay duration.Duration `json:"retryDelay,omitzero"`
	// AsEvent writes an error after the first chunk as an event, in place of the bare object that
	// the API writes.
	AsEvent bool `json:"asEvent,omitzero"`

	// Body is the body of a page or text; without one there is a short one.
	Body string `json:"body,omitzero"`
	// ContentType is what an answer is said to be.
	ContentType string `json:"contentType,omitzero"`
	// Location is where a redirect leads.
	Location string `json:"location,omitzero"`

	// Bytes are how many a slow answer sends at once, 1 without a number, or how large a large one
	// is at least.
	Bytes int `json:"bytes,omitzero"`
	// Every is how long a slow answer waits between its bytes, 10 ms without a duration.
	Every duration.Duration `json:"every,omitzero"`
}

// parameter is a member of [Fault] beside Kind.
type parameter string

const (
	httpStatus  parameter = "httpStatus"
	status      parameter = "status"
	message     parameter = "message"
	retryDelay  parameter = "retryDelay"
	asEvent     parameter = "asEvent"
	body        parameter = "body"
	contentType parameter = "contentType"
	location    parameter = "location"
	byteCount   parameter = "bytes"
	every       parameter = "every"
)

// takes has every kind, with what it takes.
var takes = map[Kind][]parameter{
	Error:            {httpStatus, status, message, retryDelay, asEvent},
	RateLimited:      {message, retryDelay, asEvent},
	DailyQuota:       {message, retryDelay, asEvent},
	Internal:         {message, asEvent},
	Unavailable:      {message, asEvent},
	DeadlineExceeded: {message, asEvent},
	Unauthenticated:  {message, asEvent},
	PermissionDenied: {message, asEvent},
	InvalidKey:       {message, asEvent},
	NotFound:         {message, asEvent},
	HTML:             {httpStatus, body},
	Text:             {httpStatus, body, contentType},
	Empty:            {httpStatus, contentType},
	Redirect:         {httpStatus, location},
	Stall:            {},
	Cut:              {},
	Truncate:         {},
	Reset:            {},
	Garbage:          {body},
	Slow:             {byteCount, every},
	ContentType:      {contentType},
	Large:            {byteCount},
}

// Kinds returns every kind, sorted.
func Kinds() []Kind { return slices.Sorted(maps.Keys(takes)) }

// Check returns what is wrong with a fault.
func (f Fault) Check() error {
	allowed, known := takes[f.Kind]
	if !known {
		return fmt.Errorf("there is no fault %q; expected one of %s", f.Kind, kindList())
	}
	for name, set := range f.parameters() {
		if set && !slices.Contains(allowed, name) {
			return fmt.Errorf("the fault %s takes no %s", f.Kind, name)
		}
	}
	switch {
	case f.HTTPStatus != 0 && (f.HTTPStatus < http.StatusOK || f.HTTPStatus > 599):
		return errors.New("an HTTP status must be between 200 and 599")
	case f.Kind == ContentType && f.ContentType == "":
		return errors.New("the fault contentType needs a contentType")
	case f.Kind == Large && f.Bytes < 1:
		return errors.New("the fault large needs a number of bytes")
	case f.Bytes < 0:
		return errors.New("the number of bytes must not be negative")
	}
	return nil
}

func (f Fault) parameters() map[parameter]bool {
	return map[parameter]bool{
		httpStatus:  f.HTTPStatus != 0,
		status:      f.Status != "",
		message:     f.Message != "",
		retryDelay:  f.RetryDelay != 0,
		asEvent:     f.AsEvent,
		body:        f.Body != "",
		contentType: f.ContentType != "",
		location:    f.Location != "",
		byteCount:   f.Bytes != 0,
		every:       f.Every != 0,
	}
}

func kindList() string {
	var names []string
	for _, kind := range Kinds() {
		names = append(names, string(kind))
	}
	return strings.Join(names, ", ")
}

// IsError reports whether a fault is an error of the API.
func (f Fault) IsError() bool { return slices.Contains(takes[f.Kind], asEvent) }

// EndsAnswer reports whether nothing of the answer comes after the fault.
func (f Fault) EndsAnswer() bool { return f.Kind != Slow && f.Kind != ContentType && f.Kind != Large }
