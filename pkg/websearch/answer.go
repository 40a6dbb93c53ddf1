package websearch

import (
	"errors"

	"github.com/go-json-experiment/json/jsontext"
)

// Response is the result of a search.
type Response struct {
	// Results are in Google's order; results of several domains alternate. There may be none.
	Results []Result
}

// Result is one web page.
type Result struct {
	// Title is the page's title, as plain text.
	Title string `json:"title"`
	// URL is the page's address, as Google returned it.
	URL string `json:"url"`
	// Snippet is the part of the page that matches the query, "" if Google returned none.
	Snippet string `json:"snippet"`
}

// Answer returns what the command prints for the outcome of [Client.Search], [New] or
// [ParseRequest]: one JSON object without white space, with a fixed order of members. An error from
// another package gets [CodeAPIError] and its own text. Without an error, a nil response counts as
// empty.
func Answer(response *Response, err error) jsontext.Value {
	if err == nil {
		return succeeded(response)
	}
	failure := failureOf(err)
	return failed(failure, failure.Event)
}

func failureOf(err error) *Error {
	if failure, ok := errors.AsType[*Error](err); ok {
		return failure
	}
	return &Error{Code: CodeAPIError, Message: err.Error()}
}

func succeeded(response *Response) jsontext.Value {
	if response == nil {
		response = &Response{}
	}
	return encode(struct {
		Success bool     `json:"success"`
		Results []Result `json:"results"`
		Count   int      `json:"count"`
	}{true, response.Results, len(response.Results)})
}

func failed(failure *Error, event *Event) jsontext.Value {
	return encode(struct {
		Success bool   `json:"success"`
		Error   string `json:"error"`
		Code    Code   `json:"error_code"`
		Event   *Event `json:"_event,omitzero"`
	}{false, failure.Message, failure.Code, event})
}
