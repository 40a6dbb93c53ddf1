package normalize

import (
	"os"
	"slices"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	"gopkg.in/yaml.v3"
)

// enumValues reads the values of an enum from the description of the wire types.
func enumValues(t *testing.T, name string) []string {
	t.Helper()
	data, err := os.ReadFile("../../api/openapi/gemini.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var document struct {
		Components struct {
			Schemas map[string]struct {
				Enum []string `yaml:"enum"`
			} `yaml:"schemas"`
		} `yaml:"components"`
	}
	if err := yaml.Unmarshal(data, &document); err != nil {
		t.Fatal(err)
	}
	values := document.Components.Schemas[name].Enum
	if len(values) == 0 {
		t.Fatalf("the description has no enum %s", name)
	}
	return values
}

func TestEveryFinishReasonOfTheDescriptionIsInTheTable(t *testing.T) {
	t.Parallel()
	values := enumValues(t, "FinishReason")
	for _, value := range values {
		if _, ok := finishReasons[geminiapi.FinishReason(value)]; !ok {
			t.Errorf("%s is not in the table", value)
		}
	}
	for reason := range finishReasons {
		if !slices.Contains(values, string(reason)) {
			t.Errorf("%s is not in the description", reason)
		}
	}
}

func TestMapFinishReason(t *testing.T) {
	t.Parallel()
	tests := map[FinishReason][]geminiapi.FinishReason{
		FinishStop:   {"STOP"},
		FinishLength: {"MAX_TOKENS", "CONTINUATION"},
		FinishContentFilter: {
			"SAFETY", "BLOCKLIST", "PROHIBITED_CONTENT", "IMAGE_SAFETY", "IMAGE_PROHIBITED_CONTENT",
			"RECITATION", "SPII", "IMAGE_RECITATION", "MODEL_ARMOR",
		},
		FinishError: {
			"MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS",
			"MISSING_THOUGHT_SIGNATURE", "MALFORMED_RESPONSE", "NO_IMAGE", "IMAGE_OTHER",
		},
		FinishUnknown: {
			"", "UNKNOWN", "UNKNOWN_REASON", "FINISH_REASON_UNSPECIFIED", "OTHER", "LANGUAGE",
			"ESCALATION",
			"stop", "STOP ", "1",
		},
	}
	for want, reasons := range tests {
		for _, reason := range reasons {
			if got := MapFinishReason(reason); got != want {
				t.Errorf("%q is %s, want %s", reason, got, want)
			}
		}
	}
}

func TestOnlyANormalEndBecomesToolUse(t *testing.T) {
	t.Parallel()
	for _, reason := range []FinishReason{FinishLength, FinishContentFilter, FinishError,
		FinishUnknown} {
		if got := finishWithTools(reason, true); got != reason {
			t.Errorf("%s with a tool call is %s", reason, got)
		}
	}
	if got := finishWithTools(FinishStop, true); got != FinishToolUse {
		t.Errorf("stop with a tool call is %s", got)
	}
	if got := finishWithTools(FinishStop, false); got != FinishStop {
		t.Errorf("stop without a tool call is %s", got)
	}
}

func TestEveryErrorStatusOfTheDescriptionHasAnHTTPStatus(t *testing.T) {
	t.Parallel()
	for _, value := range enumValues(t, "ErrorStatus") {
		if gemini.HTTPStatusOf(geminiapi.ErrorStatus(value)) == 0 {
			t.Errorf("%s has none", value)
		}
	}
}
