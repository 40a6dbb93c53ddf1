// Package schemafile reads a JSON Schema from a file.
package schemafile

import (
	"context"
	"os"

	"github.com/gemwire/gemwire/internal/codec"
	"github.com/gemwire/gemwire/server/cli/process"
	"github.com/gemwire/gemwire/server/internal/valueschema"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Read reads a schema from a file. The schema must be complete: a reference to another file, or to
// a URL, is an error.
func Read(ctx context.Context, name string) (*valueschema.Schema, error) {
	data, err := process.UnlessInterrupted(ctx, func() ([]byte, error) { return os.ReadFile(name) })
	if err != nil {
		return nil, process.WithoutPath(err)
	}
	var text jsontext.Value
	if err := json.Unmarshal(data, &text); err != nil {
		return nil, codec.NewMalformedError(codec.Payload{Wire: "extract", Name: "schema"}, data,
			err)
	}
	return valueschema.Parse(text)
}
