package messages

import (
	"strconv"

	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
)

// place is where in the input a part stands: in a stream the source of its event, in a whole answer the positions.
type place struct {
	source          normalize.Location
	candidate, part int
}

// notes takes what a conversion has to report of parts: for a stream into its own report, for a whole answer into
// one of pointers.
type notes struct {
	report *report.Report
	stream *normalize.Stream // nil for a whole answer
}

// add adds an entry about a member of a part, "" for all of it.
func (n *notes) add(kind report.Kind, at place, member, detail string) {
	if n.stream != nil {
		n.stream.AddEntry(kind, at.source, member, detail)
		return
	}
	n.report.Add(kind, partPointer(at.candidate, at.part, member), detail)
}

// addAll adds entries whose pointers begin at a part.
func (n *notes) addAll(at place, entries report.Report) {
	for _, e := range entries {
		n.add(e.Kind, at, e.Pointer, e.Detail)
	}
}

// addUnshown adds what a message does not show of a record that stands at a member of a part.
func (n *notes) addUnshown(at place, member string, record any, shows report.Shown) {
	if n.stream == nil {
		n.report.AddUnshown(partPointer(at.candidate, at.part, member), record, shows, detailNoCounterpart)
		return
	}
	var lost report.Report
	lost.AddUnshown(member, record, shows, detailNoCounterpart)
	n.stream.AddReport(at.source, lost)
}

// pointer returns the JSON pointer of a candidate's member in the wire response.
func pointer(candidate int, member string) string {
	return "/candidates/" + strconv.Itoa(candidate) + member
}

// partPointer returns the JSON pointer of a member of a part.
func partPointer(candidate, part int, member string) string {
	return pointer(candidate, "/content/parts/"+strconv.Itoa(part)+member)
}

const detailNoCounterpart = "the Messages API has no place for it"
