package answercheck

import (
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/transform/schema"
	"github.com/gemwire/gemwire/server/bulk/line"
	"github.com/go-json-experiment/json/jsontext"
)

// format is the form of answer that a request asks for: JSON, by a schema if there is one.
type format struct{ schema jsontext.Value }

// member is a member of a request that asks for JSON.
type member struct {
	pointer string // of the format, an object with a type
	schema  string // of the schema within the format
}

// members are the members by the path of the request.
var members = map[string][]member{
	"/v1/chat/completions": {{"/response_format", "/json_schema/schema"}},
	"/v1/responses":        {{"/text/format", "/schema"}},
	"/v1/messages":         {{"/output_config/format", "/schema"}, {"/output_format", "/schema"}},
}

// formatOf returns what a request asks for. It reports false for a request that asks for any text.
func formatOf(l *line.Line) (wanted format, isJSON bool) {
	if strings.HasSuffix(l.URL, ":generateContent") {
		return geminiFormat(l.Body)
	}
	for _, m := range members[l.URL] {
		switch kind := string(find(l.Body, m.pointer+"/type")); kind {
		case `"json_schema"`:
			return format{find(l.Body, m.pointer+m.schema)}, true
		case `"json_object"`:
			return format{}, true
		}
	}
	return format{}, false
}

// Members returns the names of the members that the answer to a request has by its schema, or nil
// for an answer that is not an object with known members.
func Members(l *line.Line) (names []string) {
	wanted, isJSON := formatOf(l)
	if !isJSON {
		return nil
	}
	for name := range jsonx.Members(find(wanted.schema, "/properties")) {
		names = append(names, name)
	}
	return names
}

// find returns the value at a pointer, or nil.
func find(data []byte, pointer string) jsontext.Value {
	start, end := jsonx.Find(data, jsontext.Pointer(pointer))
	if end <= start {
		return nil
	}
	return data[start:end]
}

// typeJSON is the media type of answers in JSON. Other types, such as text/x.enum, are not checked.
const typeJSON = "application/json"

// geminiFormat returns the format of a request in Gemini's form.
func geminiFormat(body []byte) (wanted format, isJSON bool) {
	request, err := gemini.DecodeRequest(body)
	if err != nil || request.GenerationConfig == nil {
		return format{}, false
	}
	config := request.GenerationConfig
	newer := jsonx.Deref(jsonx.Deref(config.ResponseFormat).Text)
	isNewer := jsonx.Deref(newer.MIMEType) == geminiapi.TextMIMETypeApplicationJSON
	switch {
	case isNewer:
		return format{newer.Schema}, true
	case jsonx.Deref(config.ResponseMIMEType) != typeJSON:
		return format{}, false
	case len(config.ResponseJSONSchema) > 0:
		return format{config.ResponseJSONSchema}, true
	case config.ResponseSchema != nil:
		converted, _ := schema.ToJSON(config.ResponseSchema)
		return format{converted}, true
	default:
		return format{}, true
	}
}
