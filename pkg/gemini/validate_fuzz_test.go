package gemini_test

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/validation"
)

// FuzzValidateRequest checks for any request that each problem is at a location of the request, or
// of a possible member. It also checks that a problem for both backends is a problem for each, and
// that problems are safe to print.
func FuzzValidateRequest(f *testing.F) {
	for _, r := range slices.Concat(contentRules, callRules, toolRules, schemaRules, configRules) {
		f.Add([]byte(r.invalid), "gemini-3.6-flash")
		f.Add([]byte(r.valid), "gemini-2.5-pro")
	}
	for _, field := range requestFields() {
		f.Add([]byte(field.document(memberName, sample(field.last().Type))), "")
	}
	f.Fuzz(func(t *testing.T, data []byte, model string) {
		request, err := gemini.DecodeRequest(data)
		if err != nil {
			return
		}
		encoded, err := gemini.EncodeRequest(request)
		if err != nil {
			t.Fatal(err)
		}
		var document any
		if err := json.Unmarshal(encoded, &document); err != nil {
			t.Fatal(err)
		}
		anywhere := validate(t, request, gemini.ForModel(model))
		for _, opt := range []gemini.ValidateOption{gemini.ForVertexAI(), gemini.ForGeminiAPI()} {
			there := validate(t, request, gemini.ForModel(model), opt)
			checkPointers(t, document, there)
			for _, problem := range anywhere {
				if len(there) < 1000 && !slices.Contains(there, problem) {
					t.Errorf("%v is no problem for one backend: %v", problem, there)
				}
			}
		}
		checkPointers(t, document, anywhere)
	})
}

func validate(t *testing.T, request *geminiapi.GenerateContentRequest,
	opts ...gemini.ValidateOption) []validation.Violation {
	t.Helper()
	err := gemini.ValidateRequest(request, opts...)
	if err == nil {
		return nil
	}
	invalid, ok := err.(*validation.Error)
	if !ok || len(invalid.Violations) == 0 || len(invalid.Unwrap()) != len(invalid.Violations) {
		t.Fatalf("the error is %#v", err)
	}
	if text := invalid.Error(); strings.Contains(text, "\n") &&
		!strings.Contains(invalid.Violations[0].Pointer, "\n") {
		t.Errorf("the error has several lines: %s", text)
	}
	return invalid.Violations
}

func checkPointers(t *testing.T, document any, problems []validation.Violation) {
	t.Helper()
	for _, problem := range problems {
		parent, last := cutLast(problem.Pointer)
		above, ok := resolve(document, parent)
		if !ok {
			t.Errorf("%v stands nowhere in %v", problem, document)
			continue
		}
		_, isThere := resolve(document, problem.Pointer)
		_, canHold := above.(map[string]any)
		if !isThere && !canHold {
			t.Errorf("%v: there can be no %s in %v", problem, last, above)
		}
		if problem.Want == "" || strings.Contains(problem.Want, "\n") ||
			problem.Value != "" && !json.Valid([]byte(problem.Value)) || len(problem.Value) > 300 {
			t.Errorf("not fit to be shown: %#v", problem)
		}
	}
}

func cutLast(pointer string) (parent, last string) {
	i := strings.LastIndexByte(pointer, '/')
	return pointer[:i], pointer[i+1:]
}

// resolve returns what a JSON pointer points at.
func resolve(document any, pointer string) (any, bool) {
	if pointer == "" {
		return document, true
	}
	for token := range strings.SplitSeq(pointer[1:], "/") {
		token = strings.NewReplacer("~1", "/", "~0", "~").Replace(token)
		switch value := document.(type) {
		case map[string]any:
			member, ok := value[token]
			if !ok {
				return nil, false
			}
			document = member
		case []any:
			index, err := strconv.Atoi(token)
			if err != nil || index >= len(value) {
				return nil, false
			}
			document = value[index]
		default:
			return nil, false
		}
	}
	return document, true
}
