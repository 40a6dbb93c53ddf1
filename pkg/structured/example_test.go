package structured_test

import (
	"errors"
	"fmt"
	"strings"

	"github.com/gemwire/gemwire/pkg/structured"
)

// Review is the type of the answers in the examples.
type Review struct {
	Verdict string   `json:"verdict" validate:"oneof=accept revise" jsonschema_description:"what to do with the text"`
	Reasons []string `json:"reasons" validate:"min=1"`
}

func Example() {
	schema, err := structured.SchemaOf[Review]()
	fmt.Println(string(schema), err)

	answer := "I read it twice {really}.\n\n```json\n{\n  \"verdict\": \"revise\",\n  \"reasons\": [\"too long\"]\n}\n```\n"
	review, err := structured.Parse[Review](answer)
	fmt.Println(review.Verdict, review.Reasons, err)
	// Output:
	// {"type":"object","properties":{"verdict":{"type":"string","description":"what to do with the text","enum":["accept","revise"]},"reasons":{"type":"array","items":{"type":"string"},"minItems":1}},"required":["verdict","reasons"],"additionalProperties":false} <nil>
	// revise [too long] <nil>
}

func ExampleParse_errors() {
	for _, answer := range []string{
		`I would rather not.`,
		`{"verdict": "revise", "reasons": "too long"}`,
		`{"verdict": "reject", "reasons": []}`,
		`{"verdict": "revise", "reasons": ["too lo`,
	} {
		_, err := structured.Parse[Review](answer)
		fmt.Println(err)
	}
	// Output:
	// structured: no JSON value in a text of 19 bytes
	// structured: /reasons: line 1, column 34 (offset 33): expected a list, found "too long"
	// structured: invalid: /verdict: line 1, column 13 (offset 12): must be one of accept, revise, found "reject"; /reasons: line 1, column 34 (offset 33): must have at least 1 elements, found a list
	// structured: /reasons/0: the value that begins at line 1, column 1 (offset 0) is cut off at line 1, column 42 (offset 41)
}

func ExampleWithRepair() {
	tell := structured.WithRepair(func(r structured.Repair) { fmt.Println(r) })
	review, err := structured.Parse[Review](`{"verdict": "revise", "reasons": ["too long", "no end`,
		tell)
	fmt.Printf("%q %v\n", review.Reasons, err)
	// Output:
	// cut off; closed with "]} at line 1, column 54 (offset 53)
	// ["too long" "no end"] <nil>
}

func ExampleParseStream() {
	deltas := func(yield func(string, error) bool) {
		for part := range strings.SplitSeq(
			"Well: {\"verdict\"|: \"revi|se\", \"reasons\": [|\"too long\"]}| Done.", "|") {
			if !yield(part, nil) {
				return
			}
		}
	}
	for review, err := range structured.ParseStream[Review](deltas) {
		fmt.Printf("%q %q %v\n", review.Verdict, review.Reasons, err)
	}
	// Output:
	// "revi" [] <nil>
	// "revise" [] <nil>
	// "revise" ["too long"] <nil>
	// "revise" ["too long"] <nil>
}

func ExampleCandidates() {
	text := "Use {} as in [1]:\n```json\n{\"a\": 1}\n```\nor [\"b\"] or {\"c\":"
	for _, candidate := range structured.Candidates(text) {
		fmt.Printf("%-8s  %v\n", candidate.Text, candidate)
	}
	// Output:
	// {"a": 1}  an object of 8 bytes at line 3, column 1 (offset 26)
	// ["b"]     a list of 5 bytes at line 5, column 4 (offset 42)
	// {}        an object of 2 bytes at line 1, column 5 (offset 4)
	// [1]       a list of 3 bytes at line 1, column 14 (offset 13)
	// {"c":     the beginning of an object of 5 bytes at line 5, column 13 (offset 51)
}

func ExampleInvalidError() {
	_, err := structured.Parse[Review](`{"verdict": "reject", "reasons": ["too long"]}`)
	if invalid, ok := errors.AsType[*structured.InvalidError](err); ok {
		for _, v := range invalid.Violations {
			fmt.Printf("%s %s: %s\n", v.Pointer, v.Value, v.Want)
		}
	}
	// Output:
	// /verdict "reject": must be one of accept, revise
}
