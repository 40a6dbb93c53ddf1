package payloadcheck

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/validation"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// The rules of streams.
const (
	ruleStream  = "stream"  // the stream is not framed, or does not end, as it should
	ruleFraming = "framing" // bytes between the events, and what decoding has replaced
)

// located is an error with a location, and a reason that does not repeat the location.
type located interface {
	error
	Location() (pointer string, offset int64)
	Reason() string
}

// fault converts an error to a violation.
func fault(data []byte, rule string, err error) validation.Violation {
	v := validation.Violation{Rule: rule, Want: err.Error()}
	if at, ok := errors.AsType[located](err); ok {
		var offset int64
		v.Pointer, offset = at.Location()
		v.Want = at.Reason()
		if offset >= 0 {
			v.Position = PositionAt(data, int(offset))
		}
	}
	return v
}

// StreamFault converts an error of a stream's reader to a violation.
func StreamFault(body []byte,
	err error) validation.Violation {
	return fault(body, ruleStream, err)
}

// Undecodable returns the findings about a body that could not be decoded: the findings of the
// table, if it has found an error, or else the error of the decoder.
func Undecodable(body []byte, found []validation.Violation, err error) []validation.Violation {
	if len(validation.Errors(found)) > 0 {
		return found
	}
	return append(found, fault(body, ruleSyntax, err))
}

// Join returns the findings of the table about a payload. It adds the errors of checks of the
// decoded value, at locations where the table found no error. An enum value that the table does not
// know stays a warning, unless a check admits only one value. All have positions in data.
func Join(data []byte, table []validation.Violation, checks ...error) []validation.Violation {
	known, warned := map[string]bool{}, map[string]int{}
	found := slices.Clone(table)
	for i, v := range found {
		if v.Severity == validation.SeverityWarning {
			warned[v.Pointer] = i
		} else {
			known[v.Pointer] = true
		}
	}
	for _, err := range checks {
		invalid, ok := errors.AsType[*validation.Error](err)
		if !ok {
			continue
		}
		for _, v := range invalid.Violations {
			i, isWarning := warned[v.Pointer]
			if known[v.Pointer] || isWarning && v.Rule == ruleOneOf {
				continue
			}
			known[v.Pointer] = true
			if isWarning {
				found[i] = v
			} else {
				found = append(found, v)
			}
		}
	}
	Locate(data, found)
	return found
}

// Stream collects the findings about the events of a stream.
type Stream struct {
	Found []validation.Violation
	lines positions
}

// NewStream returns a Stream for a body.
func NewStream(body []byte) *Stream { return &Stream{lines: positions{data: body}} }

// Add adds findings about an event. count is the number of earlier events, and the event's data
// begins at an offset. Add returns false if there are too many findings. The last finding then says
// so, and the rest of the stream need not be checked.
func (s *Stream) Add(count int, offset int64, found []validation.Violation) bool {
	for _, v := range found {
		v.Pointer = position(count) + v.Pointer
		v.Position = s.lines.at(int(offset) + v.Position.Offset)
		if len(s.Found) >= maxFindings {
			s.Found = append(s.Found, limit(v.Pointer, v.Position))
			return false
		}
		s.Found = append(s.Found, v)
	}
	return true
}

// Within converts findings about a stream to an error about the event at a position. Their pointers
// then begin with this position.
func Within(count int, found []validation.Violation) error {
	if len(found) == 0 {
		return nil
	}
	out := make([]validation.Violation, len(found))
	for i, v := range found {
		v.Pointer = strings.TrimPrefix(v.Pointer, position(count))
		out[i] = v
	}
	return &validation.Error{Violations: out}
}

func position(count int) string { return "/" + strconv.Itoa(count) }

// IsError reports whether a body is a server's error and not an answer: an object with a member
// error that is an object or a text, and without the members that only answers of OpenAI and
// Anthropic have.
func IsError(body []byte) bool {
	var reply struct {
		Error   jsontext.Value `json:"error"`
		ID      jsontext.Value `json:"id"`
		Choices jsontext.Value `json:"choices"`
	}
	if json.Unmarshal(body, &reply, options) != nil || reply.ID != nil || reply.Choices != nil {
		return false
	}
	kind := reply.Error.Kind()
	return len(reply.Error) > 0 && (kind == jsontext.KindBeginObject || kind == jsontext.KindString)
}

// Skipped returns findings about data that a stream's reader skipped or replaced.
func Skipped(report report.Report) []validation.Violation {
	var found []validation.Violation
	for _, entry := range report {
		found = append(found,
			validation.Violation{Pointer: entry.Pointer, Rule: ruleFraming, Want: entry.Detail})
	}
	return found
}
