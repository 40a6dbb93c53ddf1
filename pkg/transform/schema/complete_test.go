package schema_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/internal/test/leaftest"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/schema"
	"github.com/go-json-experiment/json/jsontext"
)

func TestEveryLeafIsInTheResultOrInTheReport(t *testing.T) {
	t.Parallel()
	for name, document := range schemas {
		for mode, opts := range modes {
			t.Run(name+" for "+mode, func(t *testing.T) {
				t.Parallel()
				checkComplete(t, mode, document, opts...)
			})
		}
	}
}

// checkComplete changes and removes each value of a document in turn.
func checkComplete(t testing.TB, mode, document string, opts ...schema.Option) {
	t.Helper()
	before, report := visible(t, document, opts...)
	if strings.HasPrefix(before, "schema: ") {
		return
	}
	checkChanges(t, mode, document, opts...)
	leaves, err := leaftest.All([]byte(document))
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range leaves {
		if l.Pointer == "" || saysNothing(mode, l.Pointer) {
			continue
		}
		after, without := visible(t, remove(t, document, l.Pointer), opts...)
		if after == before && !tells(report, l.Pointer) && lines(without) == lines(report) {
			t.Errorf("that %s is gone is reported nowhere", l.Pointer)
		}
	}
}

// checkChanges changes each value of a document in turn.
func checkChanges(t testing.TB, mode, document string, opts ...schema.Option) {
	t.Helper()
	leaves, err := leaftest.All([]byte(document))
	if err != nil {
		t.Fatal(err)
	}
	before, report := visible(t, document, opts...)
	for _, l := range leaves {
		after, changed := visible(t, string(l.Change([]byte(document))), opts...)
		if after == before && !tells(report, l.Pointer) && !tells(changed, l.Pointer) {
			t.Errorf("%s: a change of %s is reported nowhere", mode, l.Pointer)
		}
	}
}

// tells reports whether an entry at the pointer or above it says how a value was converted. An
// entry for an added value does not.
func tells(entries report.Report, pointer string) bool {
	return append(entries.Of(report.Approximated), entries.Of(report.Lost)...).Covers(pointer)
}

// saysNothing reports whether a value of the schemas could as well be absent.
func saysNothing(mode, pointer string) bool {
	switch pointer {
	case "/properties/closed/exclusiveMinimum": // false
		return true
	case "/properties/n/allOf/1/type", "/allOf/1/type", "/definitions/base/type": // said twice
		return true
	default:
		return isParameters(mode) && pointer == "/type"
	}
}

// remove returns a document without the member or element at a pointer.
func remove(t testing.TB, document, pointer string) string {
	t.Helper()
	dec := jsontext.NewDecoder(bytes.NewBufferString(document))
	for {
		kind, length := dec.StackIndex(dec.StackDepth())
		before := dec.InputOffset()
		if kind == jsontext.KindBeginObject && length%2 == 0 &&
			dec.PeekKind() == jsontext.KindString {
			if _, err := dec.ReadToken(); err != nil {
				t.Fatal(err)
			}
		}
		isScalar := dec.PeekKind() != jsontext.KindBeginObject &&
			dec.PeekKind() != jsontext.KindBeginArray
		if _, err := dec.ReadToken(); err != nil {
			t.Fatal(err)
		}
		if !isScalar || string(dec.StackPointer()) != pointer {
			continue
		}
		head, tail := document[:before], document[dec.InputOffset():]
		if rest := strings.TrimLeft(tail, " \t\r\n"); strings.HasPrefix(rest, ",") &&
			strings.ContainsAny(head[len(head)-1:], "{[") {
			tail = rest[1:]
		}
		return head + tail
	}
}
