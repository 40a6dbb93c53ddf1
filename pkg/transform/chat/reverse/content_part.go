package reverse

import (
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// contentPart is an element of a content that is a list. Thoughts in Mistral's form are a list of
// their own.
type contentPart struct {
	Type     string         `json:"type"`
	Text     string         `json:"text"`
	Refusal  string         `json:"refusal"`
	Thinking jsontext.Value `json:"thinking"`
	Unknown  jsontext.Value `json:",embed"`
}

// contentPart adds an element of a content list: a text, thoughts, a refusal or an image.
func (t *turn) contentPart(element jsontext.Value, at string) {
	if element.Kind() == jsontext.KindString {
		t.say(stringOf(element))
		return
	}
	var part contentPart
	if json.Unmarshal(element, &part) != nil {
		t.report.add(report.Lost, at, detailNoCounterpart)
		return
	}
	switch part.Type {
	case "text", "output_text":
		t.say(part.Text)
	case "refusal":
		t.report.add(report.Approximated, at+"/refusal", "converted to a text of the answer")
		t.refused = t.refused || part.Refusal != ""
		t.say(part.Refusal)
	case "thinking":
		t.thinkingPart(part.Thinking, strings.TrimPrefix(at, t.at)+"/thinking")
	case string(openaiapi.ContentPartTypeImageURL):
		t.imagePart(element, at)
		return
	default:
		t.report.add(report.Lost, at, detailNoCounterpart)
		return
	}
	t.report.loseUnknown(at, part.Unknown)
}

// thinkingPart adds thoughts of a member: a text, or a list of texts. The pointer of the member is
// relative to the message.
func (t *turn) thinkingPart(thoughts jsontext.Value, member string) {
	switch thoughts.Kind() {
	case jsontext.KindBeginArray:
		for i, thought := range jsonx.Elements(thoughts) {
			t.think(stringOf(jsonx.Member(thought, "text")), member+"/"+strconv.Itoa(i)+"/text")
		}
	case jsontext.KindString:
		t.think(stringOf(thoughts), member)
	default:
		t.report.lose(t.at+member, thoughts != nil)
		return
	}
	t.report.add(report.Approximated, t.at+member, "converted to thoughts")
}

// imagePart adds an image. Mistral sends an address in place of an object with an address.
func (t *turn) imagePart(element jsontext.Value, at string) {
	if url := jsonx.Member(element, "image_url"); url.Kind() == jsontext.KindString {
		element = jsonx.MergeObjects(element, jsonx.Object("image_url", jsonx.Object("url", url)))
	}
	var part openaiapi.ContentPart
	if json.Unmarshal(element, &part) != nil {
		t.report.add(report.Lost, at, detailNoCounterpart)
		return
	}
	t.image(&part, at)
}
