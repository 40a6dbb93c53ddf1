package responses

import (
	"strconv"

	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
)

// place is where a part stands: in a whole answer by the positions of its candidate and its own, in a stream by what
// the event tells.
type place struct {
	candidate, part int
	source          normalize.Location // of a stream
}

// notes takes the entries of the report, of a whole answer or of a stream.
type notes struct {
	report *report.Report    // of a whole answer
	stream *normalize.Stream // of a stream
}

// add adds an entry at a member of a part.
func (n notes) add(kind report.Kind, at place, member, detail string) {
	if n.stream != nil {
		n.stream.AddEntry(kind, at.source, member, detail)
		return
	}
	n.report.Add(kind, partPointer(at.candidate, at.part, member), detail)
}

// addAll adds entries whose pointers begin at a part.
func (n notes) addAll(at place, report report.Report) {
	if n.stream != nil {
		n.stream.AddReport(at.source, report)
		return
	}
	for _, e := range report {
		n.report.Add(e.Kind, partPointer(at.candidate, at.part, e.Pointer), e.Detail)
	}
}

// pointer returns the JSON pointer of a candidate's member in the wire response.
func pointer(candidate int, member string) string {
	return "/candidates/" + strconv.Itoa(candidate) + member
}

// partPointer returns the JSON pointer of a member of a part.
func partPointer(candidate, part int, member string) string {
	return pointer(candidate, "/content/parts/"+strconv.Itoa(part)+member)
}
