package answercheck

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/gemwire/gemwire/pkg/validation"
	"github.com/gemwire/gemwire/server/bulk/line"
	"github.com/gemwire/gemwire/server/internal/valueschema"
	"github.com/go-json-experiment/json/jsontext"
)

// Checker checks answers. It compiles each schema once. The zero value is ready. A Checker is safe
// for concurrent use.
type Checker struct {
	mu      sync.Mutex
	schemas map[[sha256.Size]byte]*valueschema.Schema // nil for a schema that cannot be checked
}

var (
	errCutOff  = errors.New("the answer is cut off, because it reached the maximum number of tokens")
	errNotJSON = errors.New("the answer is not JSON")
)

// Check returns why an answer differs from what its request asks for, or nil.
func (c *Checker) Check(l *line.Line, answer []byte) error {
	wanted, isChecked := formatOf(l)
	if !isChecked {
		return nil
	}
	schema := c.compiled(wanted.schema)
	for _, found := range textsOf(l.URL, answer) {
		if err := check(schema, found); err != nil {
			return err
		}
	}
	return nil
}

// check checks one text of an answer.
func check(schema *valueschema.Schema, found text) error {
	value := jsontext.Value(strings.TrimSpace(found.text))
	switch {
	case value.IsValid():
	case found.isCutOff:
		return errCutOff
	case len(value) == 0: // a refusal or a tool call
		return nil
	default:
		return errNotJSON
	}
	if schema == nil {
		return nil
	}
	return asError(schema.Violations(value))
}

// asError returns the first violation as an error, with the number of the others.
func asError(violations []validation.Violation) error {
	if len(violations) == 0 {
		return nil
	}
	first, more := violations[0], ""
	if n := len(violations) - 1; n > 0 {
		more = fmt.Sprintf(", and %d more", n)
	}
	if first.Pointer == "" {
		return fmt.Errorf("the answer %s%s", first.Want, more)
	}
	return fmt.Errorf("the answer differs at %s, which %s%s", first.Pointer, first.Want, more)
}

// mostSchemas is the maximum number of compiled schemas that are kept.
const mostSchemas = 100

// compiled returns a schema, or nil for none and for one that cannot be checked.
func (c *Checker) compiled(text jsontext.Value) *valueschema.Schema {
	if len(text) == 0 {
		return nil
	}
	sum := sha256.Sum256(text)
	c.mu.Lock()
	defer c.mu.Unlock()
	if found, isKnown := c.schemas[sum]; isKnown {
		return found
	}
	if c.schemas == nil || len(c.schemas) >= mostSchemas {
		c.schemas = map[[sha256.Size]byte]*valueschema.Schema{}
	}
	schema, err := valueschema.Parse(text)
	if err != nil {
		schema = nil
	}
	c.schemas[sum] = schema
	return schema
}
