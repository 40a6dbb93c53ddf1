package openaitest

import (
	"os"
	"path/filepath"
	"sync"
	"testing"

	"gopkg.in/yaml.v3"
)

// description is the part of the description of chat_completions that these tests need.
var description = sync.OnceValues(func() (map[string]DescribedType, error) {
	data, err := os.ReadFile(filepath.Join(repository(), "api/openapi/openai.yaml"))
	if err != nil {
		return nil, err
	}
	var document struct {
		Components struct {
			Schemas map[string]DescribedType `yaml:"schemas"`
		} `yaml:"components"`
	}
	return document.Components.Schemas, yaml.Unmarshal(data, &document)
})

type DescribedType struct {
	Properties map[string]yaml.Node `yaml:"properties"`
	Enum       []string             `yaml:"enum"`
}

func Described(t testing.TB, name string) DescribedType {
	t.Helper()
	schemas, err := description()
	if err != nil {
		t.Fatal(err)
	}
	found, ok := schemas[name]
	if !ok {
		t.Fatalf("the description has no %s", name)
	}
	return found
}

// enum returns the values of an enum of the description.
func Enum(t testing.TB, name string) []string {
	t.Helper()
	values := Described(t, name).Enum
	if len(values) == 0 {
		t.Fatalf("%s has no values", name)
	}
	return values
}

// repository is the nearest folder above the test's folder that has the descriptions.
func repository() string {
	dir := "."
	for range 8 {
		if _, err := os.Stat(filepath.Join(dir, "api", "openapi")); err == nil {
			break
		}
		dir = filepath.Join(dir, "..")
	}
	return dir
}
