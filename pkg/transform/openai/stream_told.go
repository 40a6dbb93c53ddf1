package openai

import (
	"bytes"
	"iter"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// toldMembers are members of records of which the last one counts, by their place in the record.
type toldMembers map[string]toldMember

type toldMember struct {
	chunk          int
	pointer, value string
}

// replace notes which members of earlier records the members of a record, which stands at a pointer
// of the chunk, replace.
func (n *streamNotes) replace(told *toldMembers, chunk int, at string, record any) {
	if *told == nil {
		*told = toldMembers{}
	}
	n.replaceMembers(*told, chunk, at, "", encoded(record))
}

func (n *streamNotes) replaceMembers(told toldMembers, chunk int, at, within string, record jsontext.Value) {
	for name, value := range members(record) {
		path := string(jsontext.Pointer(within).AppendToken(name))
		if mergedRecords[path] && value.Kind() == jsontext.KindBeginObject {
			n.replaceMembers(told, chunk, at, path, value)
			continue
		}
		if string(value) == "[]" {
			continue
		}
		if before, ok := told[path]; ok && before.value != string(value) {
			n.add(before.chunk, transform.Approximated, before.pointer, detailReplaced)
		}
		told[path] = toldMember{chunk, at + path, string(value)}
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

// replaceable returns what a chunk tells of the response in such a way that a later chunk replaces
// it. Without extensions only the refusal shows any of it.
func replaceable(wire *geminiapi.GenerateContentResponse, o options) *geminiapi.GenerateContentResponse {
	if !o.plain {
		return &geminiapi.GenerateContentResponse{
			PromptFeedback: wire.PromptFeedback, ModelStatus: wire.ModelStatus, Unknown: wire.Unknown,
		}
	}
	feedback := deref(wire.PromptFeedback)
	return &geminiapi.GenerateContentResponse{PromptFeedback: &geminiapi.PromptFeedback{
		BlockReason: feedback.BlockReason, BlockReasonMessage: feedback.BlockReasonMessage,
	}}
}

// replaceableOf returns the same of a candidate: all but the content, the lists that grow, and what
// is noted of every chunk.
func replaceableOf(wire *geminiapi.Candidate) *geminiapi.Candidate {
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

// encoded returns the JSON of a record of the wire.
func encoded(record any) jsontext.Value {
	data, err := json.Marshal(record, encodingNonFinite)
	if err != nil {
		return nil // it holds a free-form value that is not JSON, which the output cannot hold either
	}
	return data
}

// members iterates over the members of an object.
func members(object jsontext.Value) iter.Seq2[string, jsontext.Value] {
	return func(yield func(string, jsontext.Value) bool) {
		dec := jsontext.NewDecoder(bytes.NewReader(object), jsontext.AllowDuplicateNames(true))
		if token, err := dec.ReadToken(); err != nil || token.Kind() != jsontext.KindBeginObject {
			return
		}
		for dec.PeekKind() == jsontext.KindString {
			name, err := dec.ReadToken()
			if err != nil {
				return
			}
			text := name.String()
			value, err := dec.ReadValue()
			if err != nil || !yield(text, value.Clone()) {
				return
			}
		}
	}
}

func hasMember(object jsontext.Value, name string) bool {
	for n := range members(object) {
		if n == name {
			return true
		}
	}
	return false
}
