package target

import (
	"slices"

	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/go-json-experiment/json/jsontext"
)

// DetailUnknown is the detail for members that neither API describes.
const DetailUnknown = "Gemini has no counterpart"

// MemberCacheControl marks the end of a prefix to cache, in messages, parts and tools. It is
// Anthropic's member (platform.claude.com/docs/en/build-with-claude/prompt-caching). OpenRouter
// accepts it in other APIs for any model.
const MemberCacheControl = "cache_control"

// DetailCached is the detail for a member that asks to cache a prefix.
const DetailCached = "not needed, because Gemini finds common prefixes by itself"

// Fates maps members of a request without a counterpart in Gemini's to their report entries.
type Fates map[string]Fate

// Fate is the report entry for a member.
type Fate struct {
	Kind   report.Kind
	Detail string
}

// Lost marks a member whose loss would change the answer.
func Lost(detail string) Fate { return Fate{report.Lost, detail} }

// Approximated is the fate of a member that does not change the answer, or is expressed in another
// way.
func Approximated(detail string) Fate { return Fate{report.Approximated, detail} }

// Lose returns a function that reports a member with its fate, if it has one.
func (r *Request) Lose(fates Fates) func(name string) {
	return func(name string) {
		if f, isKnown := fates[name]; isKnown {
			r.Report.Add(f.Kind, "/"+name, f.Detail)
		}
	}
}

// LoseUnknown reports the unknown members at the pointer, each by its name, except those in taken.
func (r *Request) LoseUnknown(pointer string, unknown jsontext.Value, taken ...string) {
	for name, value := range jsonx.Members(unknown) {
		switch {
		case value.Kind() == jsontext.KindNull || slices.Contains(taken, name):
		case name == MemberCacheControl:
			r.Report.Add(report.Approximated, jsonx.MemberPointer(pointer, name), DetailCached)
		default:
			r.Report.Add(report.Lost, jsonx.MemberPointer(pointer, name), DetailUnknown)
		}
	}
}
