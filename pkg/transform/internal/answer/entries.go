package answer

import (
	"strconv"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/unshown"
)

// PartLocation is the location of a part. In a stream it is the source of its event, in a whole
// answer two positions.
type PartLocation struct {
	Source          normalize.Location
	Candidate, Part int
}

// PartEntries adds entries about parts to the report of a whole answer or of a stream.
type PartEntries struct {
	Report *report.Report    // of a whole answer
	Stream *normalize.Stream // of a stream, else nil
}

// Add adds an entry about a member of a part; "" is the whole part.
func (p *PartEntries) Add(kind report.Kind, at PartLocation, member, detail string) {
	if p.Stream != nil {
		p.Stream.AddEntry(kind, at.Source, member, detail)
		return
	}
	p.Report.Add(kind, PartPointer(at.Candidate, at.Part, member), detail)
}

// AddAll adds entries whose pointers are relative to a part.
func (p *PartEntries) AddAll(at PartLocation, entries report.Report) {
	for _, e := range entries {
		p.Add(e.Kind, at, e.Pointer, e.Detail)
	}
}

// AddUnshown reports what a form does not show of the remainder of a part. detail is the detail of
// the entries.
func (p *PartEntries) AddUnshown(at PartLocation, rest *geminiapi.Part, shows unshown.Shown,
	detail string) {
	if p.Stream == nil {
		unshown.Add(p.Report, PartPointer(at.Candidate, at.Part, ""), rest, shows, detail)
		return
	}
	var lost report.Report
	unshown.Add(&lost, "", rest, shows, detail)
	AddReport(p.Stream, at.Source, lost)
}

// Pointer returns the JSON pointer of a member of a candidate in Gemini's response.
func Pointer(candidate int, member string) string {
	return "/candidates/" + strconv.Itoa(candidate) + member
}

// PartPointer returns the JSON pointer of a member of a part.
func PartPointer(candidate, part int, member string) string {
	return Pointer(candidate, "/content/parts/"+strconv.Itoa(part)+member)
}

// These are details that every form uses.
const (
	DetailIndexMoved = "replaced by the lowest free index, because an earlier candidate has it"
	DetailLeftOver   = "no argument of the call has this place"
	DetailRefused    = "the prompt was refused"
	detailIgnored    = "a value of this type is not valid here"
)

// AddJoined reports what package normalize changed in a whole response: indexes that it moved, and
// pieces that it joined.
func AddJoined(entries *report.Report, in *normalize.Response) {
	for _, position := range in.MovedIndexes {
		entries.Add(report.Approximated, Pointer(position, "/index"), DetailIndexMoved)
	}
	*entries = append(*entries, in.JoinedPieces...)
}

// AddIgnored reports the members that package normalize ignored because they are invalid, unless
// they have an entry already.
func AddIgnored(entries *report.Report, in *normalize.Response) {
	for _, pointer := range in.Ignored {
		if !entries.Covers(pointer) {
			entries.Add(report.Lost, pointer, detailIgnored)
		}
	}
}

// WireMembers returns the members of a whole response for its [ResponseTable]. The id, the model
// and the time are not included.
func WireMembers(in *normalize.Response) geminiapi.GenerateContentResponse {
	out := geminiapi.GenerateContentResponse{PromptFeedback: in.PromptFeedback,
		UsageMetadata: in.Usage.Wire}
	if in.Extra != nil {
		out.ModelStatus, out.TurnToken, out.Unknown = in.Extra.ModelStatus, in.Extra.TurnToken,
			in.Extra.Unknown
	}
	return out
}

// AddReport adds a report about the value at the source of an event to the report of a stream.
func AddReport(s *normalize.Stream, source normalize.Location, entries report.Report) {
	for _, e := range entries {
		s.AddEntry(e.Kind, source, e.Pointer, e.Detail)
	}
}
