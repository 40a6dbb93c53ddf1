// Package told knows what of the chunks of a stream another chunk replaces. Most of what a chunk tells
// continues what the chunks before it told; of the members that are looked at here a response has one,
// and each chunk may tell another one.
package told

import (
	"iter"
	"strconv"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/object"
	"github.com/gemwire/gemwire/internal/wirejson"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// The details of reports about what another chunk replaces.
const (
	// DetailReplaced is about a member of which the last chunk that has it counts.
	DetailReplaced = "a later chunk says something else"
	// DetailNotFirst is about a member of which the first chunk that has it counts.
	DetailNotFirst = "a chunk before says something else, which is told"
	// DetailAllSources is about the sources of a support, see [Moved].
	DetailAllSources = "the sources of all chunks are counted"
)

// Candidate returns what a chunk tells of a candidate in such a way that a later chunk replaces it: all
// but its index, finish reason, role and parts, and the lists that grow.
func Candidate(wire *geminiapi.Candidate) *geminiapi.Candidate {
	out := *wire
	out.Index, out.FinishReason, out.GroundingAttributions = nil, nil, nil
	if out.Content != nil {
		out.Content = &geminiapi.Content{Unknown: out.Content.Unknown}
	}
	if out.GroundingMetadata != nil {
		g := *out.GroundingMetadata
		g.GroundingChunks, g.GroundingSupports, g.SourceFlaggingUris = nil, nil, nil
		g.WebSearchQueries, g.ImageSearchQueries, g.RetrievalQueries = nil, nil, nil
		out.GroundingMetadata = &g
	}
	if out.CitationMetadata != nil {
		out.CitationMetadata = &geminiapi.CitationMetadata{Unknown: out.CitationMetadata.Unknown}
	}
	if out.URLContextMetadata != nil {
		out.URLContextMetadata = &geminiapi.URLContextMetadata{Unknown: out.URLContextMetadata.Unknown}
	}
	if out.LogprobsResult != nil {
		l := *out.LogprobsResult
		l.ChosenCandidates, l.TopCandidates = nil, nil
		out.LogprobsResult = &l
	}
	return &out
}

// IsPiece reports whether a part is a function call that comes in pieces, or ends one.
func IsPiece(p geminiapi.Part) bool {
	call := p.FunctionCall
	return call != nil && (!BeginsCall(p) || call.WillContinue != nil && *call.WillContinue || len(call.PartialArgs) > 0)
}

// BeginsCall reports whether a part is a function call with a name. The pieces that continue one have
// none.
func BeginsCall(p geminiapi.Part) bool {
	return p.FunctionCall != nil && p.FunctionCall.Name != nil && *p.FunctionCall.Name != ""
}

// Reshaped returns an iterator over what a function call that comes in pieces has in another form when
// all of it is told, by the places in the call, with the details of reports about it.
func Reshaped(p geminiapi.Part) iter.Seq2[string, string] {
	call := p.FunctionCall
	return func(yield func(place, detail string) bool) {
		if !IsPiece(p) {
			return
		}
		if call.ID != nil && !BeginsCall(p) && !yield("/id", "the first piece of the call has the id") {
			return
		}
		const detail = "the pieces of the arguments are told as JSON"
		if call.PartialArgs != nil && !yield("/partialArgs", detail) {
			return
		}
		if call.WillContinue != nil {
			yield("/willContinue", detail)
		}
	}
}

// CountsBeyond reports whether the supports of a grounding count sources that it does not have: they
// count those of all chunks so far.
func CountsBeyond(g *geminiapi.GroundingMetadata) bool {
	for i := range g.GroundingSupports {
		for _, source := range g.GroundingSupports[i].GroundingChunkIndices {
			if source < 0 || source >= len(g.GroundingChunks) {
				return true
			}
		}
	}
	return false
}

// Moved returns an iterator over the places, in a candidate, of what counts the sources of a grounding
// by other positions than the response does. These are the positions of the sources in the list of all,
// nil if they are the same.
func Moved(g *geminiapi.GroundingMetadata, positions []int) iter.Seq[string] {
	return func(yield func(place string) bool) {
		if positions == nil || CountsBeyond(g) {
			return
		}
		for i := range g.GroundingSupports {
			if len(g.GroundingSupports[i].GroundingChunkIndices) == 0 {
				continue
			}
			if !yield("/groundingMetadata/groundingSupports/" + strconv.Itoa(i) + "/groundingChunkIndices") {
				return
			}
		}
	}
}

// mergedRecords are the records that are not replaced as a whole, but member by member.
var mergedRecords = map[string]bool{
	"/promptFeedback":     true,
	"/content":            true,
	"/functionCall":       true,
	"/groundingMetadata":  true,
	"/citationMetadata":   true,
	"/urlContextMetadata": true,
	"/logprobsResult":     true,
}

// Members returns an iterator over what a record of the wire tells, which are JSON values by their
// places in it. A record within it is replaced as a whole, or member by member and then stands here so.
// An empty list tells nothing.
func Members(record any) iter.Seq2[string, string] {
	return func(yield func(place, value string) bool) {
		eachMember("", sorted(Encoded(record)), yield)
	}
}

// sorted returns a value with all members in the order of their names: in another order they tell the
// same.
func sorted(value jsontext.Value) jsontext.Value {
	if err := value.Format(jsontext.ReorderRawObjects(true), jsontext.AllowDuplicateNames(true), jsontext.PreserveRawStrings(true)); err != nil {
		return nil // there is no value
	}
	return value
}

func eachMember(within string, record jsontext.Value, yield func(place, value string) bool) bool {
	for name, value := range object.Members(record) {
		place := string(jsontext.Pointer(within).AppendToken(name))
		more := true
		switch {
		case mergedRecords[place] && value.Kind() == jsontext.KindBeginObject:
			more = eachMember(place, value, yield)
		case string(value) != "[]":
			more = yield(place, string(value))
		}
		if !more {
			return false
		}
	}
	return true
}

// Encoded returns the JSON of a record of the wire.
func Encoded(record any) jsontext.Value {
	data, err := json.Marshal(record, wirejson.Canonical)
	if err != nil {
		return nil // it holds a free-form value that is not JSON, which the output cannot hold either
	}
	return data
}
