package websearch

import "github.com/go-json-experiment/json/jsontext"

// parsePage reads a reply with status 200, and reports whether it is one of Custom Search. Items
// without a title or a link are left out; no items at all means that nothing was found.
func parsePage(body []byte) ([]Result, bool) {
	page := jsontext.Value(body)
	if !page.IsValid(lenient) || page.Kind() != '{' {
		return nil, false
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
	return results, true
}
