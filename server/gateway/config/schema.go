package config

import (
	"fmt"

	"github.com/gemwire/gemwire/pkg/structured"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Schema returns the JSON Schema of configuration files. Editors use it to complete names, to show
// descriptions and to mark unknown names.
func Schema() (jsontext.Value, error) {
	schema, err := structured.SchemaOf[Config]()
	if err != nil {
		return nil, fmt.Errorf("config: %w", err)
	}
	if err := schema.Indent(); err != nil {
		return nil, fmt.Errorf("config: %w", err)
	}
	return schema, nil
}

// Descriptions returns the description of each setting by its name.
func Descriptions() (map[string]string, error) {
	schema, err := Schema()
	if err != nil {
		return nil, err
	}
	var described struct {
		Properties map[string]struct {
			Description string `json:"description"`
		} `json:"properties"`
	}
	if err := json.Unmarshal(schema, &described); err != nil {
		return nil, fmt.Errorf("config: %w", err)
	}
	out := make(map[string]string, len(described.Properties))
	for name, property := range described.Properties {
		out[name] = property.Description
	}
	return out, nil
}
