package requestcheck

import (
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/go-json-experiment/json/jsontext"
)

func (v *checker) functionCall(part *location, c *geminiapi.FunctionCall) {
	if c == nil {
		return
	}
	at := part.member("functionCall")
	v.functionName(&at, c.Name)
	v.object(&at, "args", c.Args)
	list := at.member("partialArgs")
	arg := list.element(0)
	for i := range c.PartialArgs {
		arg.index = i
		checkEnum(v, &arg, "nullValue", c.PartialArgs[i].NullValue)
		v.unknown(&arg, c.PartialArgs[i].Unknown)
	}
	checkExclusive(v, &at, c, functionCallExclusives)
	v.unknown(&at, c.Unknown)
}

func (v *checker) functionResponse(part *location, r *geminiapi.FunctionResponse) {
	if r == nil {
		return
	}
	at := part.member("functionResponse")
	v.functionName(&at, r.Name)
	v.object(&at, "response", r.Response)
	checkEnum(v, &at, "scheduling", r.Scheduling)
	v.functionResponseParts(&at, r.Parts)
	checkExclusive(v, &at, r, functionResponseExclusives)
	v.unknown(&at, r.Unknown)
}

func (v *checker) functionResponseParts(response *location, parts []geminiapi.FunctionResponsePart) {
	list := response.member("parts")
	if len(parts) > 0 && v.traits != nil && !v.traits.FunctionResponseParts {
		v.report(&list, ruleModel, "", v.modelName()+" takes no media in a functionResponse; put them into parts of their own behind it")
		return
	}
	at := list.element(0)
	for i := range parts {
		at.index = i
		v.functionResponsePart(&at, &parts[i])
	}
}

func (v *checker) functionResponsePart(at *location, p *geminiapi.FunctionResponsePart) {
	if (p.InlineData == nil) == (p.FileData == nil) {
		v.report(at, ruleOneMember, "", "must hold one of inlineData and fileData")
	}
	if b := p.InlineData; b != nil {
		in := at.member("inlineData")
		v.responseMediaType(&in, textOf(b.MIMEType))
		v.base64(&in, textOf(b.Data))
		checkExclusive(v, &in, b, functionResponseBlobExclusives)
		v.unknown(&in, b.Unknown)
	}
	if f := p.FileData; f != nil {
		in := at.member("fileData")
		if textOf(f.FileURI) == "" {
			v.reportMember(&in, "fileUri", ruleRequired, "", "a file must have its URI")
		}
		v.responseMediaType(&in, textOf(f.MIMEType))
		v.unknown(&in, f.Unknown)
	}
	checkEnum(v, at, "mediaProcessing", p.MediaProcessing)
	checkExclusive(v, at, p, functionResponsePartExclusives)
	v.unknown(at, p.Unknown)
}

// responseMediaTypes are the types that a functionResponse may hold; others get HTTP 400.
const responseMediaTypes = "image/png, image/jpeg, image/webp, application/pdf, text/plain"

func (v *checker) responseMediaType(media *location, mimeType string) {
	for known := range strings.SplitSeq(responseMediaTypes, ", ") {
		if strings.EqualFold(mimeType, known) {
			return
		}
	}
	message := "media must name their type; must be one of "
	if mimeType != "" {
		message = "a functionResponse holds no " + quote(mimeType) + "; must be one of "
	}
	v.reportMember(media, "mimeType", ruleOneOf, optionalString(mimeType), message+responseMediaTypes)
}

// maxFunctionName is the longest name, by Google's description.
const maxFunctionName = 128

// functionName checks the name in a declaration, a call or a response.
func (v *checker) functionName(function *location, name *string) {
	text := textOf(name)
	switch {
	case text == "":
		v.reportMember(function, "name", ruleRequired, optionalString(text), "a function must have a name")
	case len(text) > maxFunctionName:
		v.reportMember(function, "name", ruleMax, shortString(text), "the name has "+strconv.Itoa(len(text))+" characters; must have 128 at most")
	case !isFunctionName(text):
		v.reportMember(function, "name", ruleFormat, shortString(text), quote(text)+
			" is no name of a function; must begin with a letter or underscore and go on with letters, digits, underscores, dots, colons or dashes")
	}
}

func isFunctionName(text string) bool {
	for i := range len(text) {
		c := text[i]
		first := c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
		if !first && (i == 0 || !('0' <= c && c <= '9' || c == '.' || c == ':' || c == '-')) {
			return false
		}
	}
	return true
}

// object checks free-form JSON that the backends read into a map.
func (v *checker) object(at *location, name string, value jsontext.Value) {
	if len(value) > 0 && value.Kind() != jsontext.KindBeginObject {
		v.reportMember(at, name, ruleJSONObject, shortValue(value), "must be a JSON object; wrap another value, such as {\"output\": ...}")
	}
}

// optionalString is a text for [validation.Violation.Value], "" when there is none.
func optionalString(text string) string {
	if text == "" {
		return ""
	}
	return shortString(text)
}
