package schema_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/schema"
	"github.com/go-json-experiment/json/jsontext"
)

// FuzzFromJSON takes any bytes. They convert quickly to a valid result that converts to itself, or
// they are refused with an *Error. The result and the report show every value, and the report's
// pointers refer to values.
func FuzzFromJSON(f *testing.F) {
	for _, document := range schemas {
		f.Add([]byte(document))
	}
	for _, test := range refused {
		f.Add([]byte(test.document))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for mode, opts := range modes {
			start := time.Now()
			out, report, err := schema.FromJSON(jsontext.Value(data), opts...)
			if took := time.Since(start); took > 5*time.Second {
				t.Errorf("%s: took %v", mode, took)
			}
			if err != nil {
				checkError(t, err)
				if out != nil || report != nil {
					t.Error("an error came with a result")
				}
				continue
			}
			checkRules(t, out, isVertexAI(mode))
			checkPointers(t, data, report)
			first := encode(t, out)
			if again, _ := visible(t, withSmallTypes(first), opts...); again != first {
				t.Errorf("%s: %s converts to %s", mode, first, again)
			}
			if len(data) < 400 {
				checkChanges(t, mode, string(data), opts...)
			}
		}
	})
}

func checkError(t testing.TB, err error) {
	t.Helper()
	refusal, ok := errors.AsType[*schema.Error](err)
	if !ok {
		t.Fatalf("%T: %v", err, err)
	}
	for _, known := range []error{schema.ErrNotSchema, schema.ErrNotObject, schema.ErrCycle,
		schema.ErrUnresolved, schema.ErrTooLarge} {
		if errors.Is(err, known) {
			return
		}
	}
	if _, ok := errors.AsType[*jsontext.SyntacticError](refusal.Err); !ok &&
		!errors.Is(err, io.EOF) {
		t.Errorf("an unknown error: %v", err)
	}
}

// checkPointers checks that the pointers of a report refer to values, and the pointers of added
// members to objects.
func checkPointers(t testing.TB, document []byte, entries report.Report) {
	t.Helper()
	known := map[string]bool{}
	dec := jsontext.NewDecoder(bytes.NewBuffer(document))
	for {
		if _, err := dec.ReadToken(); err != nil {
			break
		}
		known[string(dec.StackPointer())] = true
	}
	for _, e := range entries {
		pointer := e.Pointer
		if e.Kind == report.Added {
			pointer = pointer[:strings.LastIndexByte(pointer, '/')]
		}
		if !known[pointer] {
			t.Errorf("nothing is at %q: %s", pointer, e)
		}
		if e.Detail == "" {
			t.Errorf("no detail: %s", e)
		}
	}
}
