package structvalidator_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/gemwire/gemwire/internal/structvalidator"
	"github.com/gemwire/gemwire/pkg/validation"
	"github.com/google/go-cmp/cmp"
)

type order struct {
	Number  int               `json:"number" validate:"gte=1"`
	Lines   []line            `json:"lines" validate:"required,min=1,dive"`
	ByShop  map[string]line   `json:"by_shop,omitzero" validate:"dive"`
	Matrix  [][]line          `json:"matrix,omitzero" validate:"dive,dive"`
	Labels  map[string]string `json:"labels,omitzero" validate:"dive,keys,max=3,endkeys,min=2"`
	Status  string            `json:"status" validate:"required,oneof=open shipped"`
	Payment *payment          `json:"payment,omitzero"`
	Hidden  string            `json:"-" validate:"max=3"`
	NoTag   int               `validate:"lte=9"`
	period
	Extra []line `json:"extra,omitzero" validate:"-"`
}

type line struct {
	Name  string `json:"na/me~" validate:"required"`
	Price int    `json:"price" validate:"lte=100"`
}

type payment struct {
	Card  string `json:"card,omitzero"`
	Check string `json:"check,omitzero"`
}

// period is embedded, so its members are members of the order.
type period struct {
	From int `json:"from" validate:"gte=0"`
	To   int `json:"to" validate:"gtefield=From"`
}

var orders = sync.OnceValue(func() *structvalidator.Validator {
	return structvalidator.New(
		structvalidator.WithPrefix("shop"),
		structvalidator.WithRule(func(p *payment) []validation.Violation {
			if (p.Card == "") != (p.Check == "") {
				return nil
			}
			return []validation.Violation{
				{Rule: "one_of", Want: "must have card or check"},
				{Pointer: "/card/number", Rule: "luhn", Want: "must have a right check digit, 100%"},
			}
		}),
	)
})

func good() *order {
	return &order{Number: 1, Lines: []line{{Name: "tea"}}, Status: "open"}
}

func TestViolations(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		spoil func(*order)
		want  []validation.Violation
	}{
		{"nothing", func(*order) {}, nil},
		{"number", func(o *order) { o.Number = 0 }, []validation.Violation{{Pointer: "/number", Rule: "gte", Want: "must be at least 1"}}},
		{"no list", func(o *order) { o.Lines = nil }, []validation.Violation{{Pointer: "/lines", Rule: "required", Want: "must be set"}}},
		{"short list", func(o *order) { o.Lines = []line{} }, []validation.Violation{{Pointer: "/lines", Rule: "min", Want: "must have at least 1 elements"}}},
		{"element", func(o *order) { o.Lines = append(o.Lines, line{}) }, []validation.Violation{{Pointer: "/lines/1/na~1me~0", Rule: "required", Want: "must be set"}}},
		{"upper bound", func(o *order) { o.Lines[0].Price = 101 }, []validation.Violation{{Pointer: "/lines/0/price", Rule: "lte", Want: "must be at most 100"}}},
		{"map", func(o *order) { o.ByShop = map[string]line{"a/b.c[0]d~": {}} }, []validation.Violation{{Pointer: "/by_shop/a~1b.c[0]d~0/na~1me~0", Rule: "required", Want: "must be set"}}},
		{"list of lists", func(o *order) { o.Matrix = [][]line{{{Name: "a"}}, {{Name: "a"}, {}}} }, []validation.Violation{{Pointer: "/matrix/1/1/na~1me~0", Rule: "required", Want: "must be set"}}},
		{"value of a map", func(o *order) { o.Labels = map[string]string{"a": "b"} }, []validation.Violation{{Pointer: "/labels/a", Rule: "min", Want: "must have at least 2 characters"}}},
		{"key of a map", func(o *order) { o.Labels = map[string]string{"long": "bb"} }, []validation.Violation{{Pointer: "/labels/long", Rule: "max", Want: "must have at most 3 characters"}}},
		{"choice", func(o *order) { o.Status = "lost" }, []validation.Violation{{Pointer: "/status", Rule: "oneof", Want: "must be one of open, shipped"}}},
		{"no JSON name", func(o *order) { o.Hidden = "long" }, []validation.Violation{{Pointer: "/Hidden", Rule: "max", Want: "must have at most 3 characters"}}},
		{"no JSON tag", func(o *order) { o.NoTag = 10 }, []validation.Violation{{Pointer: "/NoTag", Rule: "lte", Want: "must be at most 9"}}},
		{"embedded struct", func(o *order) { o.From = -1 }, []validation.Violation{{Pointer: "/from", Rule: "gte", Want: "must be at least 0"}}},
		{"two members", func(o *order) { o.From, o.To = 2, 1 }, []validation.Violation{{Pointer: "/to", Rule: "gtefield", Want: "must be at least from"}}},
		{"rule in code", func(o *order) { o.Payment = &payment{} }, []validation.Violation{
			{Pointer: "/payment", Rule: "one_of", Want: "must have card or check"}, {Pointer: "/payment/card/number", Rule: "luhn", Want: "must have a right check digit, 100%"},
		}},
		{"values that are not checked", func(o *order) { o.Extra = []line{{}} }, nil},
		{"several", func(o *order) { o.Number, o.Status, o.Lines[0].Name = 0, "", "" },
			[]validation.Violation{
				{Pointer: "/number", Rule: "gte", Want: "must be at least 1"}, {Pointer: "/lines/0/na~1me~0", Rule: "required", Want: "must be set"}, {Pointer: "/status", Rule: "required", Want: "must be set"},
			}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			o := good()
			tt.spoil(o)
			for _, value := range []any{o, *o} {
				err := orders().Struct(value)
				var got []validation.Violation
				if e, ok := errors.AsType[*validation.Error](err); ok {
					got = e.Violations
				} else if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(tt.want, got); diff != "" {
					t.Errorf("-want +got:\n%s", diff)
				}
			}
		})
	}
}

func TestErrorText(t *testing.T) {
	t.Parallel()
	o := good()
	o.Number = 0
	o.Payment = &payment{}
	const want = "shop: /number: must be at least 1; /payment: must have card or check; /payment/card/number: must have a right check digit, 100%"
	if err := orders().Struct(o); err == nil || err.Error() != want {
		t.Errorf("the text is %v, want %s", err, want)
	}
	o = good()
	o.Lines = make([]line, 25)
	err := orders().Struct(o)
	if err == nil || !strings.HasSuffix(err.Error(),
		"/lines/9/na~1me~0: must be set; and 15 more") {
		t.Errorf("a long list is not cut short: %v", err)
	}
}

func TestNotAStruct(t *testing.T) {
	t.Parallel()
	var none *order
	for _, value := range []any{nil, none, 3, []order{}, map[string]order{}} {
		if err := orders().Struct(value); !errors.Is(err, validation.ErrNotStruct) ||
			!strings.HasPrefix(err.Error(), "shop: ") {
			t.Errorf("%T: the error is %v", value, err)
		}
	}
}

func TestRuleOnTheRoot(t *testing.T) {
	t.Parallel()
	v := structvalidator.New(structvalidator.WithRule(func(p *payment) []validation.Violation {
		return []validation.Violation{{Rule: "never", Want: "must not be"},
			{Pointer: "/card", Rule: "never", Want: "must not be"}}
	}))
	const want = "validation: must not be; /card: must not be"
	if err := v.Struct(payment{}); err == nil || err.Error() != want {
		t.Errorf("the error is %v, want %s", err, want)
	}
}

// Each text depends on the kind of the tagged value.
func TestEveryTagHasAText(t *testing.T) {
	t.Parallel()
	v := structvalidator.New()
	tests := []struct {
		value any
		want  string
	}{
		{struct {
			A int `validate:"eq=2"`
		}{}, "must be 2"},
		{struct {
			A int `validate:"ne=0"`
		}{}, "must not be 0"},
		{struct {
			A int `validate:"gt=0"`
		}{}, "must be greater than 0"},
		{struct {
			A int `validate:"min=1"`
		}{}, "must be at least 1"},
		{struct {
			A int `validate:"lt=0"`
		}{}, "must be less than 0"},
		{struct {
			A int `validate:"max=-1"`
		}{}, "must be at most -1"},
		{struct {
			A *int `validate:"required"`
		}{}, "must be set"},
		{struct {
			A, B int
			C    int `validate:"ltefield=A"`
		}{C: 1}, "must be at most a"},
		{struct {
			A string `validate:"len=2"`
		}{}, "must have 2 characters"},
		{struct {
			A string `validate:"gt=2"`
		}{}, "must have more than 2 characters"},
		{struct {
			A string `validate:"lt=2"`
		}{"abc"}, "must have fewer than 2 characters"},
		{struct {
			A string `validate:"url"`
		}{}, "must be a URL"},
		{struct {
			A string `validate:"uri"`
		}{}, "must be a URI"},
		{struct {
			A string `validate:"json"`
		}{}, "must be JSON"},
		{struct {
			A []int `validate:"len=2"`
		}{}, "must have 2 elements"},
		{struct {
			A []int `validate:"gt=2"`
		}{}, "must have more than 2 elements"},
		{struct {
			A []int `validate:"lt=1"`
		}{[]int{1}}, "must have fewer than 1 elements"},
		{struct {
			A []int `validate:"max=0"`
		}{[]int{1}}, "must have at most 0 elements"},
		{struct {
			A []int `validate:"unique"`
		}{[]int{1, 1}}, "must not contain an element twice"},
		{struct {
			A string `validate:"ipv4"`
		}{}, "must fulfil ipv4"},
		{struct {
			A string `validate:"startswith=x"`
		}{}, "must fulfil startswith=x"},
	}
	for _, tt := range tests {
		err := v.Struct(tt.value)
		e, ok := errors.AsType[*validation.Error](err)
		if !ok {
			t.Errorf("%T is valid", tt.value)
			continue
		}
		if got := e.Violations[0].Want; got != tt.want {
			t.Errorf("%T: %q, want %q", tt.value, got, tt.want)
		}
	}
}

func TestAnErrorNeverHoldsTheValue(t *testing.T) {
	t.Parallel()
	o := good()
	o.Status = "secret"
	o.Hidden = "secret"
	err := orders().Struct(o)
	if err == nil || strings.Contains(fmt.Sprintf("%v %+v %#v", err, err, err), "secret") {
		t.Errorf("the error is %#v", err)
	}
}
