package dialogue

import (
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// stringAt returns the string at a location in a JSON document, or "".
func stringAt(document, pointer string) string {
	data := []byte(document)
	start, end := jsonx.Find(data, jsontext.Pointer(report.SpellingOf(data).Pointer(pointer)))
	if end == 0 {
		return ""
	}
	var text string
	if json.Unmarshal(data[start:end], &text, jsontext.AllowInvalidUTF8(true)) != nil {
		return ""
	}
	return text
}
