package fakegemini_test

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/internal/test/corpustest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/geminitest"
	"github.com/go-json-experiment/json/jsontext"
)

// mutant is a request with a change in one place.
type mutant struct {
	kind    mutation
	pointer string
	body    []byte
}

// mutation is the kind of a change.
type mutation string

const (
	misspelt  mutation = "misspelt"
	doubled   mutation = "doubled"
	otherType mutation = "of another type"
	invented  mutation = "invented"
)

// mutants returns a request with each of its members changed: a misspelt name, another type, a
// duplicate member, an invented enum value.
func mutants(body jsontext.Value) []mutant {
	var out []mutant
	add := func(kind mutation, pointer string, body []byte) {
		if jsontext.Value(body).IsValid(jsontext.AllowDuplicateNames(true)) {
			out = append(out, mutant{kind, pointer, body})
		}
	}
	walkMembers(body, "", 0, func(m memberAt) {
		before, name, value, after := body[:m.start], body[m.start:m.value], body[m.value:m.end],
			body[m.end:]
		with := func(name, value string) []byte {
			return slices.Concat(before, []byte(name), []byte(value), after)
		}
		add(misspelt, m.pointer, with(strings.Replace(string(name), `"`, `"zz`, 1), string(value)))
		add(doubled, m.pointer, with(string(name), string(value)+","+string(name)+string(value)))
		add(otherType, m.pointer, with(string(name), valueOfOtherType(value)))
		if text := string(value); len(text) > 4 && strings.ToUpper(text) == text &&
			value.Kind() == jsontext.KindString {
			add(invented, m.pointer, with(string(name), `"INVENTED_VALUE"`))
		}
	})
	return out
}

// valueOfOtherType returns a value of another type.
func valueOfOtherType(value jsontext.Value) string {
	switch value.Kind() {
	case jsontext.KindString:
		return `{"no":"text"}`
	case jsontext.KindNumber:
		return `"no number"`
	case jsontext.KindTrue, jsontext.KindFalse:
		return `"no boolean"`
	case jsontext.KindBeginObject:
		return `17`
	default:
		return `"no list"`
	}
}

// memberAt is the offset of an object member in a body: its name begins at start, and its value is
// from value to end.
type memberAt struct {
	pointer           string
	start, value, end int
}

// walkMembers visits each member of a value at an offset, and of the values within it.
func walkMembers(value jsontext.Value, pointer string, offset int, visit func(memberAt)) {
	dec := jsontext.NewDecoder(bytes.NewReader(value), jsontext.AllowDuplicateNames(true))
	switch token, err := dec.ReadToken(); {
	case err != nil:
	case token.Kind() == jsontext.KindBeginObject:
		for dec.PeekKind() != jsontext.KindEndObject {
			name, err := dec.ReadToken()
			if err != nil {
				return
			}
			nameEnd := int(dec.InputOffset())
			text := name.String()
			quoted := bytes.LastIndexByte(value[:nameEnd-1], '"')
			inner, err := dec.ReadValue()
			if err != nil || string(value[quoted+1:nameEnd-1]) != text {
				return // A name with an escape is left alone.
			}
			end := int(dec.InputOffset())
			at := memberAt{pointer + "/" + text, offset + quoted, offset + end - len(inner),
				offset + end}
			visit(at)
			walkMembers(inner.Clone(), at.pointer, at.value, visit)
		}
	case token.Kind() == jsontext.KindBeginArray:
		for i := 0; dec.PeekKind() != jsontext.KindEndArray; i++ {
			inner, err := dec.ReadValue()
			if err != nil {
				return
			}
			walkMembers(inner.Clone(), fmt.Sprintf("%s/%d", pointer, i),
				offset+int(dec.InputOffset())-len(inner), visit)
		}
	}
}

// A recorded request that was answered is refused after one change, and the refusal names the
// location. If it is still answered, the change is where any value is allowed.
func TestARecordedRequestWithAFaultIsRefusedAtItsPlace(t *testing.T) {
	t.Parallel()
	const perRequest = 60
	seen, count := map[string]bool{}, 0
	for _, e := range exchanges(t, corpustest.Response, corpustest.Stream) {
		body := e.request.Read(t)
		if seen[e.request.Name] || needsResource(body) || len(body) > 1<<16 {
			continue
		}
		seen[e.request.Name] = true
		handler := newHandler(t, geminitest.WithModels(e.answer.Model),
			geminitest.WithoutRequestLog())
		all := mutants(body)
		step := max(1, len(all)/perRequest)
		for i := 0; i < len(all); i += step {
			count++
			m := &all[i]
			if wrong := m.judge(do(t, handler, e.path(), m.body)); wrong != "" {
				t.Errorf("%s: %s %s: %s", e.request.Name, m.kind, m.pointer, wrong)
			}
		}
	}
	t.Logf("%d requests with a fault", count)
	if count < corpustest.AtLeast(10_000) {
		t.Errorf("only %d requests", count)
	}
}

// judge describes what is wrong with the reply to an invalid request, or returns "".
func (m *mutant) judge(reply *httptest.ResponseRecorder) string {
	switch err := gemini.DecodeError(reply.Code, reply.Header(), reply.Body.Bytes()); {
	case reply.Code == http.StatusOK && m.isOfNoMatter():
		return ""
	case reply.Code != http.StatusBadRequest || !err.FromAPI():
		return fmt.Sprintf("%d %.200s", reply.Code, reply.Body)
	case len(err.Details) == 0 && !placed.MatchString(err.Message):
		return "the refusal names no place: " + err.Message
	default:
		return ""
	}
}

// placed are the messages without details that name a location: of fields, of turns and of calls.
var placed = regexp.MustCompile(`GenerateContentRequest\.|^Function call is missing|^Please ensure that|^Unable to submit request because (it must include|function call)`)

// freeForm are the members that accept any value, and properties, whose names are the caller's.
var freeForm = regexp.MustCompile(`/(args|response|headers|(parameters|response)(JsonSchema|_json_schema))/|/properties/[^/]+$|/default$`)

// isOfNoMatter reports whether a changed request is still valid. The change may be in free-form
// JSON, or in a text that only looked like an enum value. It may also replace a list of texts by a
// text, which the server reads as a list with one element.
func (m *mutant) isOfNoMatter() bool {
	last := m.pointer[strings.LastIndexByte(m.pointer, '/')+1:]
	switch m.kind {
	case invented:
		return last == "text" || freeForm.MatchString(m.pointer)
	case otherType:
		return slices.Contains([]string{"stopSequences", "enum", "required", "property_ordering",
			"propertyOrdering"}, last) || freeForm.MatchString(m.pointer)
	default:
		return freeForm.MatchString(m.pointer)
	}
}
