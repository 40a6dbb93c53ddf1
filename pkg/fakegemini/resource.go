package fakegemini

import (
	"errors"
	"net/http"
	"time"

	"github.com/gemwire/gemwire/internal/codec"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/framing"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/received"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/refusal"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/store"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/wire"
	"github.com/go-json-experiment/json/jsontext"
)

// maxResources is the maximum number of caches, and of batches, that a server stores. Beyond that
// it drops the oldest.
const maxResources = 1000

// bodyOf decodes the body of a request, or returns the server's refusal. An empty body is an empty
// message.
func bodyOf[T any, P codec.Type[T]](request *received.Request) (*T, *refusal.Refusal) {
	body := request.Body
	if len(body) == 0 {
		body = jsontext.Value("{}")
	}
	out, err := gemini.Decode[T, P](body)
	if malformed, ok := errors.AsType[*wire.MalformedError](err); ok {
		own := *request
		own.Body, own.Malformed = body, malformed
		return nil, refusal.Malformed(&own, nil)
	}
	return out, nil
}

// payloadOf encodes a resource, with its members in the order of the real servers.
func payloadOf[T any, P codec.Type[T]](resource *T, order []string) jsontext.Value {
	payload, err := gemini.Encode[T, P](resource)
	if err != nil {
		return nil // Every resource can be encoded.
	}
	return framing.Ordered(payload, order)
}

// writeResource writes a whole answer.
func writeResource(w http.ResponseWriter, payload jsontext.Value) {
	_ = framing.WriteWhole(w, http.StatusOK, payload) // fails if the client has disconnected
}

// writeEmpty writes an answer without content.
func writeEmpty(w http.ResponseWriter) { writeResource(w, jsontext.Value("{}")) }

// writeList writes a page of a list; an empty one is an empty object.
func writeList(w http.ResponseWriter, member string, elements []jsontext.Value, next string) {
	var list, token jsontext.Value
	if len(elements) > 0 {
		list = framing.Array(elements...)
	}
	if next != "" {
		token = framing.Text(next)
	}
	writeResource(w, framing.Object([]framing.Member{{Name: member, Value: list},
		{Name: "nextPageToken", Value: token}}))
}

// found is a page of a list: its elements, the token of the next page, and whether the requested
// page exists.
type found[T any] struct {
	elements []T
	next     string
	ok       bool
}

// foundOf returns the page that a store has listed.
func foundOf[T any](elements []T, next string,
	ok bool) found[T] {
	return found[T]{elements, next, ok}
}

// writeFound writes a page of a list, with payload for each element, or refuses the token of the
// request.
func writeFound[T any](w http.ResponseWriter, r *http.Request, member string, page found[T],
	payload func(T) jsontext.Value) {
	if !page.ok {
		refuse(w, r, refusal.InvalidArgument())
		return
	}
	payloads := make([]jsontext.Value, len(page.elements))
	for i, element := range page.elements {
		payloads[i] = payload(element)
	}
	writeList(w, member, payloads, page.next)
}

// pageOf returns the requested page of a list. Like the real server, it replaces sizes above the
// maximum and below 1.
func pageOf(size *int, token *string, byDefault, most int) store.Page {
	page := store.Page{Size: byDefault}
	if size != nil && *size > 0 {
		page.Size = min(*size, most)
	}
	if token != nil {
		page.Token = *token
	}
	return page
}

// The servers write times that they recorded to the microsecond, and times that they computed to
// the nanosecond.
const (
	microseconds = "2006-01-02T15:04:05.000000Z"
	nanoseconds  = "2006-01-02T15:04:05.000000000Z"
)

// timestamp writes a time.
func timestamp(t time.Time, precision string) *string { return new(t.UTC().Format(precision)) }
