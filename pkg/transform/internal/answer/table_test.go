package answer_test

import (
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/answer"
	"github.com/gemwire/gemwire/pkg/transform/internal/unshown"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

func TestMembersThatATableDoesNotNameAreLost(t *testing.T) {
	t.Parallel()
	table := answer.NewCallTable("no place")
	tests := map[string]struct {
		call geminiapi.FunctionCall
		want report.Report
	}{
		"all is shown":     {geminiapi.FunctionCall{Name: new("f"), ID: new("c1"), Args: jsontext.Value(`{"a":1}`)}, nil},
		"no arguments":     {geminiapi.FunctionCall{Name: new("f"), Args: jsontext.Value("null")}, nil},
		"an empty list":    {geminiapi.FunctionCall{Args: jsontext.Value("[]")}, report.Report{{Pointer: "/call/args", Kind: report.Lost, Detail: "no place"}}},
		"a scalar":         {geminiapi.FunctionCall{Args: jsontext.Value("7")}, report.Report{{Pointer: "/call/args", Kind: report.Lost, Detail: "no place"}}},
		"a further member": {geminiapi.FunctionCall{WillContinue: new(true)}, report.Report{{Pointer: "/call/willContinue", Kind: report.Lost, Detail: "no place"}}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			before := test.call
			var got report.Report
			table.Report(&got, "/call", &test.call, unshown.Nothing)
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(before, test.call); diff != "" {
				t.Error("the record has changed:", diff)
			}
		})
	}
}
