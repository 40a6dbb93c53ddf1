package reverse

import (
	"cmp"
	"strconv"

	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// sourceMembers lists the members next to the choices with an answer's sources. Members with titles
// come first: search_results (Perplexity), web_search (Zhipu), and citations (Perplexity, xAI),
// which has only addresses. It is never modified.
var sourceMembers = []string{"search_results", "web_search", "citations"}

// sourceList is one of these members.
type sourceList struct {
	at    string // its pointer
	value jsontext.Value
}

// sourceListsIn returns the lists of sources among the unknown members of the value at a pointer.
func sourceListsIn(unknown jsontext.Value, at string) (out []sourceList) {
	if unknown == nil {
		return nil
	}
	for _, name := range sourceMembers {
		if value := jsonx.Member(unknown, name); value.Kind() == jsontext.KindBeginArray {
			out = append(out, sourceList{at + "/" + name, value})
		}
	}
	return out
}

// sourceListNames returns the names of the lists of sources among unknown members.
func sourceListNames(unknown jsontext.Value) (names []string) {
	for _, list := range sourceListsIn(unknown, "") {
		names = append(names, list.at[len("/"):])
	}
	return names
}

// addList adds the pages of a list. They support the whole text. A page without a
// title is omitted if its address is already known.
func (g *sources) addList(list *sourceList, entries *reporter) {
	for i, element := range jsonx.Elements(list.value) {
		at := list.at + "/" + strconv.Itoa(i)
		page := pageIn(element, entries, at)
		switch {
		case page.url == "":
			entries.add(report.Lost, at, "Gemini has only sources with an address")
		case page.title != "" || !g.known[page.url]:
			g.position(page)
		}
	}
}

// pageIn reads an element of a list of sources: an address, or an object with an address.
func pageIn(element jsontext.Value, report *reporter, at string) source {
	if element.Kind() == jsontext.KindString {
		return source{url: stringOf(element)}
	}
	var page struct {
		URL     string         `json:"url"`
		Link    string         `json:"link"`
		Title   string         `json:"title"`
		Unknown jsontext.Value `json:",embed"`
	}
	if json.Unmarshal(element, &page) != nil {
		return source{}
	}
	report.loseUnknown(at, page.Unknown)
	report.lose(at+"/link", page.URL != "" && page.Link != "" && page.Link != page.URL)
	return source{cmp.Or(page.URL, page.Link), page.Title}
}

// takeSourceLists keeps the lists of sources of a chunk. For each member the last non-empty list
// counts.
func (s *Stream) takeSourceLists(c *chunk) {
	at := "/" + strconv.Itoa(s.pushed-1)
	for _, list := range sourceListsIn(c.Unknown, at) {
		s.keepSourceList(list, list.at[len(at):])
	}
}

// keepSourceList keeps a list with its pointer into the chunk.
func (s *Stream) keepSourceList(list sourceList, member string) {
	if s.lists == nil {
		s.lists = map[string]sourceList{}
	}
	before, isThere := s.lists[member]
	switch {
	case isThere && len(jsonx.Elements(list.value)) == 0:
		return
	case isThere && string(before.value) != string(list.value):
		s.addAt("", report.Approximated, before.at, "replaced by a later chunk, which lists the sources again")
	}
	s.lists[member] = list
}

// sourceLists returns the lists of sources of the whole stream.
func (s *Stream) sourceLists() (out []sourceList) {
	for _, name := range sourceMembers {
		if list, isThere := s.lists["/"+name]; isThere {
			out = append(out, list)
		}
	}
	return out
}
