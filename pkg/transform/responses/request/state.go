package request

import (
	"net/http"
	"strconv"

	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
)

// CodeItemNotFound is the code for a reference to an item that is not kept, of which OpenAI
// documents none.
const CodeItemNotFound = "item_not_found"

// The codes of errors about what a server keeps. The first is OpenAI's own for an id that it does
// not know.
const (
	codePreviousNotFound = "previous_response_not_found"
	codeUnsupported      = "unsupported_parameter"
)

// checkState refuses what only a server that keeps responses could do: without it the model would
// answer with less than the client believes it to know.
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
	const cure = "nothing is kept here; send the whole conversation as input"
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
			Problem:    "nothing is kept here, and so nothing could be polled; send it without background",
		}
	}
	c.reportUnkept()
	return nil
}

// reportUnkept reports members about what is kept that change nothing.
func (c *converter) reportUnkept() {
	if c.in.PreviousResponseID != nil { // an empty text
		c.Report.Add(report.Approximated, "/previous_response_id", "empty, and left out")
	}
	if jsonx.Deref(c.in.Store) {
		c.Report.Add(report.Lost, "/store", "nothing is kept here")
	}
}

// reportKept reports the members that the caller heeds.
func (c *converter) reportKept() {
	const detail = "for whoever keeps the responses"
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

// itemNotFound is the error for a reference to an item. Its wording names the cure, as clients that
// send references do so by their own default.
func itemNotFound(pointer, id string) error {
	return &Error{
		Pointer: pointer, Code: CodeItemNotFound, HTTPStatus: http.StatusNotFound, NeedsStore: true,
		Problem: "item " + strconv.Quote(id) +
			" not found: items are not kept here. Send the items themselves: with store set to false " +
			"(store:false; in the AI SDK providerOptions.openai.store = false) clients do so",
	}
}
