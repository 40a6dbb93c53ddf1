package websearch

import (
	"net/http"

	"github.com/go-json-experiment/json/jsontext"
)

// parsePage reads a reply with status 200. It skips items without a title or a link. A reply
// without items means that nothing was found, unless it has an error instead.
func parsePage(body []byte) ([]Result, *Error) {
	page := jsontext.Value(withoutByteOrderMark(body))
	if !page.IsValid(lenient) || page.Kind() != '{' {
		return nil, &Error{Code: CodeAPIError, Message: "Failed to parse API response",
			HTTPStatus: http.StatusOK}
	}
	switch member(page, "error").Kind() {
	case jsontext.KindInvalid, jsontext.KindNull, jsontext.KindFalse: // none
	default:
		return nil, apiError(http.StatusOK, body)
	}
	var results []Result
	for _, item := range elements(member(page, "items")) {
		title, hasTitle := text(member(item, "title"))
		link, hasLink := text(member(item, "link"))
		if !hasTitle || !hasLink {
			continue
		}
		snippet, _ := text(member(item, "snippet"))
		results = append(results, Result{Title: title, URL: link, Snippet: snippet})
	}
	return results, nil
}
