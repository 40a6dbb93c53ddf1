package request

import (
	"net/http"
	"strconv"

	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
)

// CodeItemNotFound is the code for a reference to an item that is not stored. OpenAI documents no
// code for it.
const CodeItemNotFound = "item_not_found"

// These are the error codes for stored state. The first one is OpenAI's code for an unknown id.
const (
	codePreviousNotFound = "previous_response_not_found"
	codeUnsupported      = "unsupported_parameter"
)

// checkState refuses what only a server that stores responses can do. Otherwise the model would
// answer without content that the client assumes.
func (c *converter) checkState() error {
	if c.in.Prompt != nil {
		return &Error{
			Pointer: "/prompt", Code: codeUnsupported, HTTPStatus: http.StatusBadRequest,
			Problem: "names a template that is stored at OpenAI; send instructions and input",
		}
	}
	if c.store {
		c.reportKept()
		return nil
	}
	const cure = "nothing is stored here; send the whole conversation as input"
	switch {
	case jsonx.Deref(c.in.PreviousResponseID) != "":
		return &Error{
			Pointer: "/previous_response_id", Code: codePreviousNotFound,
			HTTPStatus: http.StatusBadRequest, NeedsStore: true,
			Problem: "previous response " + strconv.Quote(*c.in.PreviousResponseID) +
				" not found: " + cure,
		}
	case !c.in.Conversation.IsZero():
		return &Error{Pointer: "/conversation", Code: codeUnsupported,
			HTTPStatus: http.StatusBadRequest, NeedsStore: true, Problem: cure}
	case jsonx.Deref(c.in.Background):
		return &Error{
			Pointer: "/background", Code: codeUnsupported, HTTPStatus: http.StatusBadRequest,
			NeedsStore: true,
			Problem:    "nothing is stored here, so a response could not be polled; send the request without background",
		}
	}
	c.reportUnkept()
	return nil
}

// reportUnkept reports members about storage that have no effect.
func (c *converter) reportUnkept() {
	if c.in.PreviousResponseID != nil { // an empty text
		c.Report.Add(report.Approximated, "/previous_response_id", "omitted, because it is empty")
	}
	if jsonx.Deref(c.in.Store) {
		c.Report.Add(report.Lost, "/store", "nothing is stored here")
	}
}

// reportKept reports the members that the caller handles.
func (c *converter) reportKept() {
	const detail = "not part of Gemini's request; it is for the server that stores the responses"
	if c.in.PreviousResponseID != nil {
		c.Report.Add(report.Approximated, "/previous_response_id", detail)
	}
	if !c.in.Conversation.IsZero() {
		c.Report.Add(report.Approximated, "/conversation", detail)
	}
	if jsonx.Deref(c.in.Background) {
		c.Report.Add(report.Approximated, "/background", detail)
	}
	if jsonx.Deref(c.in.Store) {
		c.Report.Add(report.Approximated, "/store", detail)
	}
}

// itemNotFound returns the error for a reference to an item. It names the remedy, because some
// clients send references by default.
func itemNotFound(pointer, id string) error {
	return &Error{
		Pointer: pointer, Code: CodeItemNotFound, HTTPStatus: http.StatusNotFound, NeedsStore: true,
		Problem: "item " + strconv.Quote(id) +
			" not found: items are not stored here. Send the items themselves: with store set to false " +
			"(store:false; in the AI SDK providerOptions.openai.store = false) clients do so",
	}
}
