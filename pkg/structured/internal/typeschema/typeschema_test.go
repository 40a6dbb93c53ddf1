package typeschema_test

import (
	"io"
	"net/netip"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/gemwire/gemwire/pkg/structured/internal/typeschema"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
	"github.com/invopop/jsonschema"
)

// Pairs of a Go type and its schema. The types are declared where they are used.
func TestSchemaSaysWhatATypeTakes(t *testing.T) {
	t.Parallel()
	schemaOf[string](t, `{"type":"string"}`)
	schemaOf[*bool](t, `{"type":"boolean"}`)
	schemaOf[int](t, `{"type":"integer"}`)
	schemaOf[uint](t, `{"type":"integer","minimum":0}`)
	schemaOf[uint8](t, `{"type":"integer","minimum":0}`)
	schemaOf[uint64](t, `{"type":"integer","minimum":0}`)
	schemaOf[float32](t, `{"type":"number"}`)
	schemaOf[[]string](t, `{"type":"array","items":{"type":"string"}}`)
	schemaOf[[2]int](t, `{"type":"array","items":{"type":"integer"},"minItems":2,"maxItems":2}`)
	schemaOf[map[string]int](t, `{"type":"object","additionalProperties":{"type":"integer"}}`)
	schemaOf[map[int]int](t, `{"type":"object","additionalProperties":{"type":"integer"}}`)
	schemaOf[map[string]any](t, `{"type":"object"}`)
	schemaOf[any](t, `{}`)
	schemaOf[jsontext.Value](t, `{}`)
	schemaOf[[]byte](t, `{"type":"string"}`)
	schemaOf[[4]byte](t, `{"type":"string"}`)
	schemaOf[time.Time](t, `{"type":"string","format":"date-time"}`)
	schemaOf[netip.Addr](t, `{"type":"string"}`)
	schemaOf[struct{}](t, `{"type":"object","additionalProperties":false}`)
}

// schemaOf compares a schema byte by byte, because the order of keywords and members matters.
func schemaOf[T any](t *testing.T, want string) {
	t.Helper()
	got, err := typeschema.Of(reflect.TypeFor[T]())
	if err != nil {
		t.Errorf("%T: %v", *new(T), err)
	} else if diff := cmp.Diff(strings.NewReplacer("\n", "", "\t", "").Replace(want),
		string(got)); diff != "" {
		t.Errorf("%T (-want +got):\n%s", *new(T), diff)
	}
}

func TestSchemaHasTheMembersOfAStructInTheirOrder(t *testing.T) {
	t.Parallel()
	type inner struct {
		Z int `json:"z"`
	}
	type base struct {
		ID string `json:"id"`
	}
	type outer struct {
		B     string `json:"b"`
		A     string `json:"a,omitempty"`
		inner `json:"inner"`
		base
		Plain   bool
		Skipped int `json:"-"`
		hidden  int
		At      *time.Time      `json:"at"`
		Or      *int            `json:"or,omitzero"`
		Named   struct{ X int } `json:"named"`
		More    map[string]int  `json:",embed"`
	}
	schemaOf[outer](t, `{"type":"object","properties":{
		"b":{"type":"string"},
		"a":{"type":"string"},
		"inner":{"type":"object","properties":{"z":{"type":"integer"}},"required":["z"],"additionalProperties":false},
		"id":{"type":"string"},
		"Plain":{"type":"boolean"},
		"at":{"anyOf":[{"type":"string","format":"date-time"},{"type":"null"}]},
		"or":{"type":"integer"},
		"named":{"type":"object","properties":{"X":{"type":"integer"}},"required":["X"],"additionalProperties":false}},
		"required":["b","inner","id","Plain","at","named"]}`)
	_ = outer{hidden: 0}
}

func TestSchemaShowsTheRulesThatItHasWordsFor(t *testing.T) {
	t.Parallel()
	type item struct {
		Name string `json:"name" validate:"required,min=2,max=9"`
	}
	type names []string
	type rules struct {
		Need     string         `json:"need,omitempty" validate:"required"`
		Len      string         `json:"len" validate:"len=3"`
		GT       string         `json:"gt" validate:"gt=3,lt=9"`
		One      string         `json:"one" validate:"oneof=a 'b c' d0x2Ce"`
		EQ       string         `json:"eq" validate:"eq=a b"`
		Or       string         `json:"or" validate:"eq=a|eq=b"`
		Email    string         `json:"email" validate:"email,min=x"`
		Whole    int            `json:"whole" validate:"gt=0,lte=10"`
		Less     int            `json:"less" validate:"required,gte=-3,lt=10"`
		Some     int            `json:"some" validate:"oneof=1 2 03"`
		Fraction float64        `json:"fraction" validate:"gt=0.5,lt=1e3,min=+1"`
		Pointer  *string        `json:"pointer" validate:"omitnil,max=5"`
		Must     *string        `json:"must" validate:"required"`
		Items    []item         `json:"items" validate:"min=1,dive"`
		Tags     []string       `json:"tags" validate:"len=2,dive,required,max=7"`
		Table    [][]*int       `json:"table" validate:"dive,max=3,dive,min=1"`
		Map      map[string]int `json:"map" validate:"min=1,dive,keys,max=3,endkeys,min=4"`
		Names    names          `json:"names" validate:"max=3,dive,min=1"`
		Free     names          `json:"free"`
		Any      map[string]any `json:"any" validate:"dive,required"`
		Text     netip.Addr     `json:"text" validate:"required"`
		Quoted   int            `json:"quoted,string" validate:"min=1"`
		Negative string         `json:"negative" validate:"min=-1"`
		Empty    string         `json:"empty" validate:"max=0"`
		Unnamed  []struct {
			Q string `json:"q" validate:"max=1"`
		} `json:"unnamed"`
		ByName map[string]*struct {
			Q string `json:"q" validate:"max=1"`
		} `json:"by_name"`
	}
	q := `{"type":"object","properties":{"q":{"type":"string","maxLength":1}},"required":["q"],"additionalProperties":false}`
	schemaOf[rules](t, `{"type":"object","properties":{
		"need":{"type":"string","minLength":1},
		"len":{"type":"string","minLength":3,"maxLength":3},
		"gt":{"type":"string","minLength":4,"maxLength":8},
		"one":{"type":"string","enum":["a","b c","d,e"]},
		"eq":{"type":"string","enum":["a b"]},
		"or":{"type":"string"},
		"email":{"type":"string"},
		"whole":{"type":"integer","minimum":1,"maximum":10},
		"less":{"type":"integer","minimum":-3,"maximum":9},
		"some":{"type":"integer","enum":[1,2]},
		"fraction":{"type":"number","minimum":0.5,"maximum":1e3},
		"pointer":{"anyOf":[{"type":"string","maxLength":5},{"type":"null"}]},
		"must":{"type":"string","minLength":1},
		"items":{"type":"array","items":{"type":"object","properties":{"name":{"type":"string","minLength":2,"maxLength":9}},
			"required":["name"],"additionalProperties":false},"minItems":1},
		"tags":{"type":"array","items":{"type":"string","minLength":1,"maxLength":7},"minItems":2,"maxItems":2},
		"table":{"type":"array","items":{"type":"array","items":{"type":"integer","minimum":1},"maxItems":3}},
		"map":{"type":"object","additionalProperties":{"type":"integer","minimum":4}},
		"names":{"type":"array","items":{"type":"string","minLength":1},"maxItems":3},
		"free":{"type":"array","items":{"type":"string"}},
		"any":{"type":"object"},
		"text":{"type":"string"},
		"quoted":{"type":"string"},
		"negative":{"type":"string"},"empty":{"type":"string","maxLength":0},
		"unnamed":{"type":"array","items":`+q+`},
		"by_name":{"type":"object","additionalProperties":`+q+`}},
		"required":["need","len","gt","one","eq","or","email","whole","less","some","fraction","pointer","must","items","tags",
			"table","map","names","free","any","text","quoted","negative","empty","unnamed","by_name"],"additionalProperties":false}`)
}

func TestSchemaTakesDescriptionsAndKeywordsFromTags(t *testing.T) {
	t.Parallel()
	type described struct {
		A string   `json:"a" jsonschema_description:"the first, <of> all"`
		B string   `json:"b" jsonschema:"title=B,description=short,pattern=^b+$,format=date"`
		C []inTag  `json:"c" jsonschema:"description=ignored on a reference"`
		D inTag    `json:"d" jsonschema_description:"one of its own"`
		E any      `json:"e" jsonschema:"oneof_type=string;integer"`
		F []string `json:"f" jsonschema:"uniqueItems=true,default=x"`
	}
	tag := `"type":"object"%,"properties":{"x":{"type":"integer"}},"required":["x"],"additionalProperties":false`
	schemaOf[described](t, `{"type":"object","properties":{
		"a":{"type":"string","description":"the first, <of> all"},
		"b":{"type":"string","title":"B","description":"short","format":"date","pattern":"^b+$"},
		"c":{"type":"array","description":"ignored on a reference","items":{`+strings.Replace(tag, "%", "", 1)+`}},
		"d":{`+strings.Replace(tag, "%", `,"description":"one of its own"`, 1)+`},
		"e":{"anyOf":[{"type":"string"},{"type":"integer"}]},
		"f":{"type":"array","items":{"type":"string"}}},
		"required":["a","b","c","d","e","f"],"additionalProperties":false}`)
}

type inTag struct {
	X int `json:"x"`
}

// node and edge contain each other.
type node struct {
	Name  string          `json:"name"`
	Edges []edge          `json:"edges"`
	Up    *node           `json:"up"`
	Also  map[string]node `json:"also,omitzero"`
}

type edge struct {
	To node `json:"to"`
}

type graph struct {
	Root node `json:"root"`
}

// self is a list of itself.
type self []self

func TestSchemaOfATypeThatHoldsItself(t *testing.T) {
	t.Parallel()
	// A member that refers to a type around it is never required.
	body := `{"type":"object","properties":{
		"name":{"type":"string"},
		"edges":{"type":"array","items":{"type":"object","properties":{"to":{"$ref":"#/$defs/node"}},"additionalProperties":false}},
		"up":{"anyOf":[{"$ref":"#/$defs/node"},{"type":"null"}]},
		"also":{"type":"object","additionalProperties":{"$ref":"#/$defs/node"}}},
		"required":["name","edges"],"additionalProperties":false`
	schemaOf[node](t, body+`,"$defs":{"node":`+body+`}}}`)
	schemaOf[graph](t, `{"type":"object","properties":{"root":`+body+
		`}},"required":["root"],"additionalProperties":false,"$defs":{"node":`+body+`}}}`)
	schemaOf[self](t, `{"type":"array","items":{"$ref":"#/$defs/self"},"$defs":{"self":{"type":"array","items":{"$ref":"#/$defs/self"}}}}`)
}

// pair is generic.
type pair[A, B any] struct {
	First  A `json:"first"`
	Second B `json:"second"`
}

func TestSchemaKeepsTypesOfOneNameApart(t *testing.T) {
	t.Parallel()
	schemaOf[pair[pair[int, int], pair[string, bool]]](t, `{"type":"object","properties":{
		"first":{"type":"object","properties":{"first":{"type":"integer"},"second":{"type":"integer"}},"required":["first","second"],"additionalProperties":false},
		"second":{"type":"object","properties":{"first":{"type":"string"},"second":{"type":"boolean"}},"required":["first","second"],"additionalProperties":false}},
		"required":["first","second"],"additionalProperties":false}`)
}

// rating provides its own schema. The other types try to, but with mistakes.
type rating int

func (rating) JSONSchema() *jsonschema.Schema {
	return &jsonschema.Schema{Type: "integer", Minimum: "1", Maximum: "5",
		Not: &jsonschema.Schema{Type: "null"}}
}

type lost int

type lostInItself int

func (lostInItself) JSONSchema() *jsonschema.Schema {
	return &jsonschema.Schema{Ref: "#/$defs/lostInItself"}
}

func (lost) JSONSchema() *jsonschema.Schema { return &jsonschema.Schema{Ref: "#/$defs/nowhere"} }

func TestATypeMayDescribeItself(t *testing.T) {
	t.Parallel()
	schemaOf[[]rating](t, `{"type":"array","items":{"type":"integer","minimum":1,"maximum":5}}`)
}

func TestSchemaOfATypeWithoutJSONIsAnError(t *testing.T) {
	t.Parallel()
	type base struct{ X int }
	noSchema[chan int](t, "schema of chan int: unsupported type chan int")
	noSchema[struct{ F func() }](t, "unsupported type func()")
	noSchema[error](t, "schema of error: no JSON can be read into the interface error")
	noSchema[struct{ R []io.Reader }](t, "no JSON can be read into the interface io.Reader")
	noSchema[struct {
		B base `json:",embed"`
	}](t, "field B: a struct is embedded by its tag")
	type named struct {
		B base `json:",embed"`
	}
	noSchema[[]named](t, "field B: a struct is embedded by its tag")
	noSchema[struct{ named }](t, "field B: a struct is embedded by its tag")
	noSchema[struct {
		S []struct {
			B base `json:",embed"`
		}
	}](t, "field B: a struct is embedded by its tag")
	noSchema[lost](t, `the schema refers to "#/$defs/nowhere"`)
	noSchema[lostInItself](t, `the schema refers to "#/$defs/lostInItself"`)
	noSchema[[]lost](t, `the schema refers to "#/$defs/nowhere"`)
}

// idOfText is embedded by types that have a field of the same name in JSON.
type idOfText struct {
	ID string `json:"id" validate:"max=3"`
}

func TestSchemaOfAStructWithTwoFieldsOfOneNameIsAnError(t *testing.T) {
	t.Parallel()
	const want = "another field of the struct has the same name in JSON"
	noSchema[struct {
		idOfText
		ID int `json:"id"`
	}](t, want)
	noSchema[struct {
		ID int `json:"id"`
		*idOfText
	}](t, "schema of typeschema_test.idOfText: field ID: "+want)
	schemaOf[struct {
		id  int
		ID  int    `json:"-"`
		Own string `json:"-"`
		idOfText
	}](t, `{"type":"object","properties":{"id":{"type":"string","maxLength":3}},"required":["id"],"additionalProperties":false}`)
}

func noSchema[T any](t *testing.T, want string) {
	t.Helper()
	schema, err := typeschema.Of(reflect.TypeFor[T]())
	if err == nil || !strings.Contains(err.Error(), want) || schema != nil {
		t.Errorf("%T: got %s, %v; want %s", *new(T), schema, err, want)
	}
}

func TestSchemaIsTheSameEachTime(t *testing.T) {
	t.Parallel()
	first, err := typeschema.Of(reflect.TypeFor[graph]())
	if err != nil {
		t.Fatal(err)
	}
	for range 50 {
		if again, err := typeschema.Of(reflect.TypeFor[graph]()); err != nil ||
			string(again) != string(first) {
			t.Fatalf("%v\n%s\n%s", err, first, again)
		}
	}
}
