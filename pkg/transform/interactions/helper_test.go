package interactions_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/gemwire/gemwire/pkg/gemini"
	"gopkg.in/yaml.v3"
)

// googleError returns an error of Google's API.
func googleError(status int, name, message string) error {
	return gemini.DecodeError(status, nil,
		fmt.Appendf(nil, `{"error":{"code":%d,"message":%q,"status":%q}}`, status, message, name))
}

// enum returns the values of an enum in the description of Gemini's API.
func enum(t testing.TB, name string) []string {
	t.Helper()
	data, err := os.ReadFile("../../../api/openapi/gemini.yaml")
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
