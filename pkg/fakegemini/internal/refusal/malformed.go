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

// maxFaults is how many values of another type are told of one body, each of which costs a reading.
const maxFaults = 20

// Malformed is the answer to a body that does not decode. It tells all values of another type, as
// was reported (zed-industries/zed#53919), and behind them what the reader finds in the rest, of
// which check returns the violations; without check that is not looked for.
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
			break // It is not the value that is at fault.
		}
		request = next
	}
	if request.Content != nil && check != nil {
		unreadable, _ := faultsOf(request, check(request))
		faults = append(faults, unreadable...)
	}
	return notReadable(faults)
}

// typeFault is the fault of the first value that does not decode.
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

// scalarTypes are the types of the protocol buffer by what decoding expected.
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

// shownBefore and shownBehind are how many bytes around a fault of syntax the message shows.
const (
	shownBefore = 20
	shownBehind = 20
)

// notJSON is the answer to what is no JSON. It shows the place, with a mark below it.
func notJSON(body jsontext.Value, err *wire.MalformedError) *Refusal {
	offset := min(int(err.Offset), len(body))
	from := max(0, offset-shownBefore)
	snippet := string(body[from:min(len(body), offset+shownBehind)])
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
