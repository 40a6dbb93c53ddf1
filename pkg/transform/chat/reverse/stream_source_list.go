package reverse

import (
	"strconv"

	"github.com/gemwire/gemwire/pkg/report"
)

// takeSourceLists keeps the lists of sources of a chunk: of each member the last one counts that is not empty.
func (s *Stream) takeSourceLists(c *chunk) {
	at := "/" + strconv.Itoa(s.pushed-1)
	for _, list := range sourceListsIn(c.Unknown, at) {
		s.keepSourceList(list, list.at[len(at):])
	}
}

// keepSourceList keeps a list of the member at a pointer into its chunk.
func (s *Stream) keepSourceList(list sourceList, member string) {
	if s.lists == nil {
		s.lists = map[string]sourceList{}
	}
	before, isThere := s.lists[member]
	switch {
	case isThere && list.isEmpty():
		return
	case isThere && string(before.value) != string(list.value):
		s.addAt("", report.Approximated, before.at, "a later chunk lists the sources again")
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
