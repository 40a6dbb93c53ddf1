package validation_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/validation"
)

func TestTextOfAViolation(t *testing.T) {
	t.Parallel()
	tests := []struct {
		violation validation.Violation
		want      string
		offset    int64
	}{
		{validation.Violation{Want: "must be an object"}, "must be an object", -1},
		{validation.Violation{Pointer: "/usage", Rule: "gte", Value: "-1", Want: "must be at least 0"}, "/usage: must be at least 0", -1},
		{validation.Violation{Pointer: "/n", Position: validation.Position{Offset: 57, Line: 3, Column: 20}, Want: "must be set"}, "/n: line 3, column 20 (offset 57): must be set", 57},
		{validation.Violation{Position: validation.Position{Line: 1, Column: 1}, Value: "-1", Want: "must be at least 0"}, "line 1, column 1 (offset 0): must be at least 0, found -1", 0},
		{validation.Violation{Position: validation.Position{Line: 1, Column: 1}, Want: "must be set"}, "line 1, column 1 (offset 0): must be set", 0},
		{validation.Violation{Pointer: strings.Repeat("/items", 100), Want: "wrong"}, strings.Repeat("/items", 100)[:100] + "..." + strings.Repeat("/items", 100)[500:] + ": wrong", -1},
	}
	for _, tt := range tests {
		if got := tt.violation.Error(); got != tt.want {
			t.Errorf("the text is %q, want %q", got, tt.want)
		}
		pointer, offset := tt.violation.Location()
		if pointer != tt.violation.Pointer || offset != tt.offset {
			t.Errorf("%s is at %q, %d", tt.violation, pointer, offset)
		}
	}
}

func TestAnErrorNamesTenViolationsAndCountsTheOthers(t *testing.T) {
	t.Parallel()
	short := &validation.Error{Prefix: "shop",
		Violations: []validation.Violation{{Pointer: "/a", Want: "must be set"},
			{Want: "must be an object"}}}
	if got := short.Error(); got != "shop: /a: must be set; must be an object" {
		t.Errorf("the text is %s", got)
	}
	long := &validation.Error{Prefix: "shop"}
	for i := range 25 {
		long.Violations = append(long.Violations,
			validation.Violation{Pointer: fmt.Sprintf("/%d", i), Want: "must be set"})
	}
	if got := long.Error(); !strings.HasPrefix(got, "shop: /0: must be set; /1") ||
		!strings.HasSuffix(got, "/9: must be set; and 15 more") {
		t.Errorf("the text is %s", got)
	}
}

func TestAnErrorCanBeTakenApart(t *testing.T) {
	t.Parallel()
	err := fmt.Errorf("before sending: %w",
		&validation.Error{Violations: []validation.Violation{{Pointer: "/contents",
			Rule: "required", Want: "must be set"}, {Want: "wrong"}}})
	violation, ok := errors.AsType[validation.Violation](err)
	if !ok || violation.Pointer != "/contents" {
		t.Fatalf("the first violation is %#v", violation)
	}
	text, err := json.Marshal(violation)
	const want = `{"pointer":"/contents","rule":"required","want":"must be set"}`
	if err != nil || string(text) != want {
		t.Errorf("as JSON it is %s, %v", text, err)
	}
}
