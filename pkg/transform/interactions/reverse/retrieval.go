package reverse

import (
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// retrievalStatus returns Gemini's name of whether a page was read.
func retrievalStatus(status *interactionsapi.URLContextStatus) *geminiapi.URLRetrievalStatus {
	if status == nil {
		return nil
	}
	return new(geminiapi.URLRetrievalStatus("URL_RETRIEVAL_STATUS_" +
		strings.ToUpper(string(*status))))
}

// customMetadata returns the metadata of a file as Gemini lists them. ok is false if they have a
// value that Gemini does not have.
func customMetadata(metadata jsontext.Value) (out []geminiapi.GroundingChunkCustomMetadata,
	ok bool) {
	for name, value := range jsonx.Members(metadata) {
		entry := geminiapi.GroundingChunkCustomMetadata{Key: &name}
		var err error
		switch value.Kind() {
		case jsontext.KindString:
			err = json.Unmarshal(value, &entry.StringValue)
		case jsontext.KindNumber:
			err = json.Unmarshal(value, &entry.NumericValue)
		case jsontext.KindBeginArray:
			entry.StringListValue = &geminiapi.GroundingChunkStringList{}
			err = json.Unmarshal(value, &entry.StringListValue.Values)
		default:
			return nil, false
		}
		if err != nil {
			return nil, false
		}
		out = append(out, entry)
	}
	return out, metadata == nil || metadata.Kind() == jsontext.KindBeginObject
}
