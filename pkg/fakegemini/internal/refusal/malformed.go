package refusal

import (
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/received"
	"github.com/gemwire/gemwire/pkg/validation"
	"github.com/gemwire/gemwire/pkg/wire"
	"github.com/go-json-experiment/json/jsontext"
)

// maxFaults is the maximum number of type errors in an answer. Each costs another decoding.
const maxFaults = 20

// Malformed is the answer to a body that does not decode. It lists all values of a wrong type, as
// was reported (zed-industries/zed#53919), and after them the errors of the JSON reader in the
// rest. check returns the violations of the rest; nil skips them.
func Malformed(request *received.Request,
	check func(*received.Request) []validation.Violation) *Refusal {
	body := request.Body
	if !body.IsValid(jsontext.AllowDuplicateNames(true)) {
		return notJSON(body, request.Malformed)
	}
	if body.Kind() != jsontext.KindBeginObject {
		return notReadable([]fault{unknownName("", "", notAnObject)})
	}
	var faults []fault
	for request.Malformed != nil && len(faults) < maxFaults {
		faults = append(faults, typeFault(request))
		rest, err := jsonx.Set(request.Body, jsontext.Pointer(request.Malformed.Pointer),
			jsontext.Value("null"))
		if err != nil {
			break
		}
		next := request.With(rest)
		if next.Malformed != nil && next.Malformed.Pointer == request.Malformed.Pointer {
			break // The value is not the error.
		}
		request = next
	}
	if request.Content != nil && check != nil {
		unreadable, _ := faultsOf(request, check(request))
		faults = append(faults, unreadable...)
	}
	return notReadable(faults)
}

// typeFault is the error of the first value that does not decode.
func typeFault(request *received.Request) fault {
	body, err := request.Body, request.Malformed
	message, member := up(err.Pointer)
	at := locate(body, err.Pointer)
	switch wantsObject := strings.HasPrefix(err.Message, "an object was expected") ||
		strings.HasPrefix(err.Message, "a list was expected"); {
	case at.value.Kind() == jsontext.KindBeginArray:
		return unknownName(member, locate(body, message).path, notRepeating)
	case at.value.Kind() == jsontext.KindBeginObject:
		return unknownName(member, locate(body, message).path, notAMessage)
	case wantsObject || strings.HasPrefix(err.Message, "an enum"):
		prefix := typesPrefix(isVertexAI(request), request.Version)
		return invalidValue(at.path, prefix+typeOf(at.lastName()), at.value)
	default:
		return invalidValue(at.path, scalarType(err.Message), at.value)
	}
}

func (p location) lastName() string {
	if len(p.names) == 0 {
		return ""
	}
	return p.names[len(p.names)-1]
}

// scalarTypes maps the type that decoding expected to the type of the protocol buffer.
var scalarTypes = []struct{ expected, typeName string }{
	{"a string", "TYPE_STRING"},
	{"a whole number", "TYPE_INT32"},
	{"a number", "TYPE_FLOAT"},
	{"a boolean", "TYPE_BOOL"},
}

func scalarType(message string) string {
	for _, scalar := range scalarTypes {
		if strings.HasPrefix(message, scalar.expected+" ") {
			return scalar.typeName
		}
	}
	return "TYPE_STRING"
}

// shownBefore and shownAfter are the numbers of bytes around a syntax error in the message.
const (
	shownBefore = 20
	shownAfter  = 20
)

// notJSON is the answer to a body that is not JSON. It shows the location with a mark below it.
func notJSON(body jsontext.Value, err *wire.MalformedError) *Refusal {
	offset := min(int(err.Offset), len(body))
	from := max(0, offset-shownBefore)
	snippet := string(body[from:min(len(body), offset+shownAfter)])
	line := strings.ToValidUTF8(strings.ReplaceAll(snippet, "\n", " "), "\uFFFD")
	problem := "Expected a value."
	switch {
	case strings.Contains(err.Message, "ends too early"):
		problem = "Unexpected end of string."
	case offset < len(body):
		problem = "Unexpected token."
	}
	return New(geminiapi.ErrorStatusInvalidArgument,
		"Invalid JSON payload received. "+problem+"\n"+line+"\n"+strings.Repeat(" ", offset-from)+
			"^")
}
