package normalize

import (
	"fmt"
	"strings"

	"github.com/gemwire/gemwire/internal/merge"
	"github.com/gemwire/gemwire/pkg/report"
)

// Report returns what normalising did to the wire's response that the result alone does not tell apart from
// it: ids of tool calls that were made are added; offsets and indexes that were moved, pieces of calls that were
// joined, and arguments of a type that makes no sense, are approximated; other members of such a type are lost. The pointers are those into the
// wire's form.
func (r *Response) Report() report.Report {
	var entries report.Report
	for _, pointer := range r.Ignored {
		kind := report.Lost
		if strings.HasSuffix(pointer, "/functionCall/args") { // which are in the block's Extra
			kind = report.Approximated
		}
		entries.Add(kind, pointer, "of a type that has no meaning there, treated as absent")
	}
	for _, position := range r.MovedIndexes {
		entries.Add(report.Approximated, fmt.Sprintf("/candidates/%d/index", position), merge.DetailIndexMoved)
	}
	entries = append(entries, r.JoinedPieces...)
	for i := range r.Candidates {
		r.Candidates[i].addTo(&entries, fmt.Sprintf("/candidates/%d", r.WirePosition(i)))
	}
	return entries
}

// addTo adds what [Response.Report] says of the candidate at a pointer.
func (c *Candidate) addTo(entries *report.Report, at string) {
	for i := range c.Blocks {
		if call := c.Blocks[i].ToolCall; call != nil && call.MadeID {
			entries.Add(report.Added, fmt.Sprintf("%s/content/parts/%d/functionCall/id", at, c.Blocks[i].Part),
				"made of the call's place, as the model sent none")
		}
	}
	for i := range c.Citations {
		if c.Citations[i].Approximated {
			entries.Add(report.Approximated, at+"/citationMetadata", "offsets moved to whole characters of the text")
		}
	}
	if c.Grounding == nil {
		return
	}
	for i := range c.Grounding.Supports {
		if c.Grounding.Supports[i].Approximated {
			entries.Add(report.Approximated, fmt.Sprintf("%s/groundingMetadata/groundingSupports/%d/segment", at, i),
				"offsets moved to the nearest place where the segment's text stands")
		}
	}
}
