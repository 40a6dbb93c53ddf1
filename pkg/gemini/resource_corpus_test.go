package gemini_test

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/test/corpustest"
	"github.com/google/go-cmp/cmp"
)

// Recorded answers are already canonical. Several types answer at one endpoint: a list has a member
// that the single resource does not have.
func TestEveryRecordedAnswerOfTheOtherEndpointsSurvivesARoundTrip(t *testing.T) {
	t.Parallel()
	seen := 0
	for endpoint, trips := range map[string]map[string]func([]byte) ([]byte, error){
		"models":               {"models": roundTripOf[geminiapi.ListModelsResponse], "": roundTripOf[geminiapi.Model]},
		"embedContent":         {"": roundTripOf[geminiapi.EmbedContentResponse]},
		"batchEmbedContents":   {"": roundTripOf[geminiapi.BatchEmbedContentsResponse]},
		"cachedContents":       {"": roundTripOf[geminiapi.CachedContent]},
		"files":                {"files": roundTripOf[geminiapi.ListFilesResponse], "file": roundTripOf[geminiapi.CreateFileResponse], "": roundTripOf[geminiapi.File]},
		"batchGenerateContent": {"": roundTripOf[geminiapi.BatchOperation]},
		"batches":              {"": roundTripOf[geminiapi.BatchOperation]},
	} {
		for _, payload := range corpustest.EndpointPayloads(t, endpoint, corpustest.Response) {
			in := payload.Read(t)
			var members map[string]json.RawMessage
			if filepath.Ext(payload.Name) != ".json" || json.Unmarshal(in, &members) != nil ||
				members["error"] != nil {
				continue
			}
			trip := trips[""]
			for member, t := range trips {
				if members[member] != nil {
					trip = t
				}
			}
			out, err := trip(in)
			if err != nil {
				t.Errorf("%s: %v", payload.Name, err)
				continue
			}
			if diff := cmp.Diff(exactTree(t, in), exactTree(t, out)); diff != "" {
				t.Errorf("%s: %s", payload.Name, diff)
			}
			if known := strings.Contains(string(out), `"name"`) ||
				strings.Contains(string(out), "values"); !known {
				t.Errorf("%s: neither a name nor values", payload.Name)
			}
			seen++
		}
	}
	if seen < corpustest.AtLeast(25) {
		t.Errorf("only %d answers were seen", seen)
	}
}
