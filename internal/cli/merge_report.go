package cli

import (
	"bytes"
	"fmt"
	"maps"
	"slices"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// mergeReport lists what chunks say and the response that was merged of them does not: of members
// that have one value in a response, such as the usage, each chunk may tell another one.
func mergeReport(chunks []*geminiapi.GenerateContentResponse, merged *geminiapi.GenerateContentResponse) transform.Report {
	var report transform.Report
	response, byIndex := singleMembers(merged), map[int]object{}
	for _, candidate := range response.candidates {
		byIndex[candidate.index] = candidate.members
	}
	for i, chunk := range chunks {
		told := singleMembers(chunk)
		reportReplaced(&report, position(i), told.members, response.members)
		for at, candidate := range told.candidates {
			reportReplaced(&report, fmt.Sprintf("%s/candidates/%d", position(i), at), candidate.members, byIndex[candidate.index])
		}
	}
	return report
}

// object holds the members of a JSON object by their names.
type object map[string]jsontext.Value

func reportReplaced(report *transform.Report, at string, told, merged object) {
	for _, name := range slices.Sorted(maps.Keys(told)) {
		if !bytes.Equal(told[name], merged[name]) {
			pointer := jsontext.Pointer(at).AppendToken(name)
			report.Add(transform.Approximated, string(pointer), "one value is kept of what the chunks say")
		}
	}
}

// singles are the members of a response, or of a part of one, that have one value in it, also when
// each chunk of a stream tells one.
type singles struct {
	members    object
	candidates []singleCandidate
}

type singleCandidate struct {
	index   int
	members object
}

func singleMembers(r *geminiapi.GenerateContentResponse) singles {
	whole := *r
	whole.Candidates = nil
	out := singles{members: membersOf(&whole)}
	for i := range r.Candidates {
		c, index := r.Candidates[i], 0
		if c.Index != nil {
			index = max(*c.Index, 0)
		}
		// A stream continues these; MergeChunks joins them.
		c.Index, c.Content, c.GroundingMetadata, c.CitationMetadata, c.URLContextMetadata = nil, nil, nil, nil, nil
		c.LogprobsResult, c.GroundingAttributions = nil, nil
		slim := &geminiapi.GenerateContentResponse{Candidates: []geminiapi.Candidate{c}}
		var list []object
		_ = json.Unmarshal(membersOf(slim)["candidates"], &list) // it was just encoded
		out.candidates = append(out.candidates, singleCandidate{index, list[0]})
	}
	return out
}

// membersOf returns nothing for a response that cannot be encoded; to encode what was merged of it
// fails too, and tells why.
func membersOf(r *geminiapi.GenerateContentResponse) object {
	data, err := gemini.EncodeResponse(r)
	if err != nil {
		return nil
	}
	var out object
	_ = json.Unmarshal(data, &out)
	return out
}
