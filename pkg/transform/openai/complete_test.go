package openai_test

import (
	"reflect"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/leaf"
	"github.com/gemwire/gemwire/pkg/gemini"
)

// The corpus holds what has been recorded so far. These responses hold every member that the
// description knows, so that one which is added there and forgotten here fails the test.
func TestNothingOfTheDescriptionIsLostSilently(t *testing.T) {
	t.Parallel()
	tests := map[string]*geminiapi.GenerateContentResponse{"a refused prompt": {}, "all": {}, "all but unknown members": {}}
	for _, r := range tests {
		leaf.Fill(r)
	}
	tests["all"].PromptFeedback.BlockReason = nil
	tests["all but unknown members"].PromptFeedback.BlockReason = nil
	withoutUnknown(reflect.ValueOf(tests["all but unknown members"]))
	usable := *tests["all"]
	usable.Candidates = []geminiapi.Candidate{usableCandidate()}
	tests["with sources that can be told"] = &usable
	for name, part := range filledParts() {
		tests[name] = &geminiapi.GenerateContentResponse{
			Candidates: []geminiapi.Candidate{{Content: &geminiapi.Content{Parts: []geminiapi.Part{part}}}},
		}
	}
	for name, r := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wire, err := gemini.EncodeResponse(r)
			if err != nil {
				t.Fatal(err)
			}
			for mode, opts := range modes {
				checkComplete(t, mode, wire, leaf.Enough(1<<30), opts...)
			}
		})
	}
}

// usableCandidate is a filled candidate whose indices are those of what is there, so that sources
// become annotations and log probabilities belong to tokens.
func usableCandidate() geminiapi.Candidate {
	var c geminiapi.Candidate
	leaf.Fill(&c)
	support := &c.GroundingMetadata.GroundingSupports[0]
	support.GroundingChunkIndices[0] = 0
	*support.Segment = geminiapi.Segment{StartIndex: new(0), EndIndex: new(4), Text: new("text")}
	*c.URLContextMetadata.URLMetadata[0].URLRetrievalStatus = geminiapi.URLRetrievalStatusSuccess
	c.Content.Parts = []geminiapi.Part{{Text: new("text of an answer")}}
	return c
}

// filledParts returns, for every member of a part, a part with it alone and one with all others: a
// part has one payload, and which one it is decides what becomes of the rest.
func filledParts() map[string]geminiapi.Part {
	out := map[string]geminiapi.Part{}
	members := reflect.TypeFor[geminiapi.Part]()
	for i := range members.NumField() {
		name := members.Field(i).Name
		alone, others := geminiapi.Part{}, geminiapi.Part{}
		leaf.Fill(reflect.ValueOf(&alone).Elem().Field(i).Addr().Interface())
		leaf.Fill(&others)
		reflect.ValueOf(&others).Elem().Field(i).SetZero()
		out["a part with "+name], out["a part without "+name] = alone, others
	}
	for kind, mimeType := range map[string]string{"an image": "image/png", "a sound": "audio/wav", "a film": "video/mp4"} {
		var p geminiapi.Part
		leaf.Fill(&p.InlineData)
		leaf.Fill(&p.VideoMetadata)
		leaf.Fill(&p.ThoughtSignature)
		p.InlineData.MIMEType = &mimeType
		out[kind] = p
	}
	return out
}

// withoutUnknown removes the unknown members everywhere: where they are, the whole record is often
// kept, which would hide that another member is not.
func withoutUnknown(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			withoutUnknown(v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			withoutUnknown(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).Name == "Unknown" {
				v.Field(i).SetZero()
			} else if v.Type().Field(i).IsExported() {
				withoutUnknown(v.Field(i))
			}
		}
	}
}
