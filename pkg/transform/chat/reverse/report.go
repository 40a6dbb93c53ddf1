package reverse

import (
	"slices"
	"strconv"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/unshown"
	"github.com/go-json-experiment/json/jsontext"
)

const detailNoCounterpart = "Gemini has no member for it"

// reporter makes the report about a completion, or about the chunks of a stream.
type reporter struct {
	entries report.Report
	// pointer of the chunk; "" for a completion, and until an entry needs it
	prefix     string
	chunk      int // its position from 1, or 0 without a chunk
	lossesOnly bool
}

func (r *reporter) add(kind report.Kind, pointer, detail string) {
	if kind == report.Lost || !r.lossesOnly {
		r.entries.Add(kind, r.at()+pointer, detail)
	}
}

// at returns the pointer of the chunk.
func (r *reporter) at() string {
	if r.prefix == "" && r.chunk > 0 {
		r.prefix = "/" + strconv.Itoa(r.chunk-1)
	}
	return r.prefix
}

// aim sets the chunk that entries are about, by its position.
func (r *reporter) aim(chunk int) { r.prefix, r.chunk = "", chunk+1 }

// about returns a reporter for the value at a pointer from the root.
func (r *reporter) about(prefix string) reporter {
	out := *r
	out.prefix, out.chunk = prefix, 0
	return out
}

// lose reports a member as lost if it is present.
func (r *reporter) lose(pointer string, present bool) {
	if present {
		r.add(report.Lost, pointer, detailNoCounterpart)
	}
}

// differs reports a value if a different one is shown.
func (r *reporter) differs(pointer, value, shown string) {
	if value != shown {
		r.add(report.Approximated, pointer, "replaced by another value")
	}
}

// loseUnknown reports the unknown members, except those in taken.
func (r *reporter) loseUnknown(pointer string, unknown jsontext.Value, taken ...string) {
	for name, value := range jsonx.Members(unknown) {
		if value.Kind() != jsontext.KindNull && !slices.Contains(taken, name) {
			r.add(report.Lost, jsonx.MemberPointer(pointer, name),
				detailNoCounterpart)
		}
	}
}

// googleOf returns Google's members of an extension, under either of its names. The result is empty
// if there is no extension.
func googleOf(extra *openaiapi.ExtraContent) openaiapi.GoogleExtraContent {
	switch {
	case extra == nil:
		return openaiapi.GoogleExtraContent{}
	case extra.Google != nil:
		return *extra.Google
	case extra.Vertex != nil:
		return *extra.Vertex
	default:
		return openaiapi.GoogleExtraContent{}
	}
}

// loseGoogle reports the members of an extension that remain unused.
func (r *reporter) loseGoogle(pointer string, extra *openaiapi.ExtraContent,
	left openaiapi.GoogleExtraContent) {
	if extra == nil {
		return
	}
	pointer += "/extra_content"
	r.loseUnknown(pointer, extra.Unknown)
	name := "/google"
	if extra.Google == nil {
		name = "/vertex"
	} else if extra.Vertex != nil {
		r.add(report.Approximated, pointer+"/vertex", "google is used instead")
	}
	if !left.IsEmpty() {
		var lost report.Report
		unshown.Add(&lost, pointer+name, &left, unshown.Nothing, "it has no effect here")
		for _, e := range lost {
			r.add(e.Kind, e.Pointer, e.Detail)
		}
	}
}
