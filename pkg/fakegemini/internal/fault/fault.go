// Package fault defines failures between a client and Gemini: errors of the API, and answers that
// stall, are cut, are damaged or are not the API's.
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

// Errors of the API. Before an answer they have their HTTP status. After the first chunk of a
// stream they are among the events. In an answer that is not a stream they are the body, with
// status 200.
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

// Faults that break or end an answer.
const (
	Stall    Kind = "stall"
	Cut      Kind = "cut"
	Truncate Kind = "truncate"
	Reset    Kind = "reset"
	Garbage  Kind = "garbage"
)

// Faults that change how the rest of an answer is sent.
const (
	Slow        Kind = "slow"
	ContentType Kind = "contentType"
	Large       Kind = "large"
)

// Fault is one fault. Besides Kind, only the members that the kind accepts may be set.
type Fault struct {
	Kind Kind `json:"kind"`

	// HTTPStatus is the HTTP status. The default is 500 for an error, 200 for a page or an empty
	// body, and 302 for a redirect.
	HTTPStatus int `json:"httpStatus,omitzero"`
	// Status is the canonical code of an error; the default depends on HTTPStatus.
	Status geminiapi.ErrorStatus `json:"status,omitzero"`
	// Message is the message of an error; the default is the API's message in such a case.
	Message string `json:"message,omitzero"`
	// RetryDelay is the wait that RetryInfo asks for.
	RetryDelay duration.Duration `json:"retryDelay,omitzero"`
	// AsEvent writes an error after the first chunk as an event, instead of the bare object that
	// the API writes.
	AsEvent bool `json:"asEvent,omitzero"`

	// Body is the body of a page or text; the default is a short one.
	Body string `json:"body,omitzero"`
	// ContentType is the Content-Type of an answer.
	ContentType string `json:"contentType,omitzero"`
	// Location is the target of a redirect.
	Location string `json:"location,omitzero"`

	// Bytes is the number of bytes that a slow answer sends at once, by default 1, or the minimum
	// size of a large answer.
	Bytes int `json:"bytes,omitzero"`
	// Every is the wait of a slow answer between its bytes, by default 10 ms.
	Every duration.Duration `json:"every,omitzero"`
}

// parameter is a member of [Fault] other than Kind.
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

// takes has every kind, with the parameters that it accepts.
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

// Kinds returns all kinds, sorted.
func Kinds() []Kind { return slices.Sorted(maps.Keys(takes)) }

// Check returns an error if a fault is invalid.
func (f Fault) Check() error {
	allowed, known := takes[f.Kind]
	if !known {
		return fmt.Errorf("%q is not a fault; expected one of %s", f.Kind, kindList())
	}
	for name, set := range f.parameters() {
		if set && !slices.Contains(allowed, name) {
			return fmt.Errorf("the fault %s does not accept %s", f.Kind, name)
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
