package normalize_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTheReportOfAResponseListsTheChangesOfNormalising(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		body string
		want []string
	}{
		"nothing":           {`{"candidates":[{"content":{"parts":[{"text":"a"}]},"finishReason":"STOP"}]}`, nil},
		"an id that is set": {`{"candidates":[{"content":{"parts":[{"functionCall":{"id":"c","name":"f"}}]}}]}`, nil},
		"an id that is made": {
			`{"candidates":[{},{"index":1,"content":{"parts":[{"text":"a"},{"functionCall":{"name":"f"}}]}}]}`,
			[]string{"added /candidates/1/content/parts/1/functionCall/id: made from the call's position, because the model sent none"},
		},
		"arguments that are invalid": {
			`{"candidates":[{"content":{"parts":[{"functionCall":{"id":"c","name":"f","args":[]}}]}}]}`,
			[]string{"approximated /candidates/0/content/parts/0/functionCall/args: wrong type, treated as absent"},
		},
		"a citation that ends within a character": {
			`{"candidates":[{"content":{"parts":[{"text":"aéb"}]},"citationMetadata":{"citationSources":[{"startIndex":0,"endIndex":2,"uri":"u"}]}}]}`,
			[]string{"approximated /candidates/0/citationMetadata: offsets moved to whole characters of the text"},
		},
		"a segment that is somewhere else": {
			`{"candidates":[{"content":{"parts":[{"text":"one two"}]},"groundingMetadata":{"groundingSupports":[{"segment":{"startIndex":1,"endIndex":4,"text":"two"}}]}}]}`,
			[]string{"approximated /candidates/0/groundingMetadata/groundingSupports/0/segment: offsets moved to the nearest occurrence of the segment's text"},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, entry := range normalized(t, test.body).Report() {
				got = append(got, entry.String())
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}
