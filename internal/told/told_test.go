package told_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/told"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

func TestMembersOfARecordStandByTheirPlaces(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		record string
		want   []string
	}{
		"scalars":               {`{"a":1,"b":"x","c":null}`, []string{`/a 1`, `/b "x"`, `/c null`}},
		"a record as a whole":   {`{"usageMetadata":{"a":1}}`, []string{`/usageMetadata {"a":1}`}},
		"a record by members":   {`{"content":{"a":1,"b":{"c":2}},"z":3}`, []string{`/content/a 1`, `/content/b {"c":2}`, `/z 3`}},
		"the name elsewhere":    {`{"a":{"content":{"b":1}}}`, []string{`/a {"content":{"b":1}}`}},
		"members in any order":  {`{"b":{"d":1,"c":[{"f":"\u0061","e":1.50}]},"a":1}`, []string{`/a 1`, `/b {"c":[{"e":1.50,"f":"\u0061"}],"d":1}`}},
		"empty lists":           {`{"a":[],"b":[1],"content":{"c":[]}}`, []string{`/b [1]`}},
		"a name with a slash":   {`{"a/b~c":1}`, []string{`/a~1b~0c 1`}},
		"something else in one": {`{"content":7}`, []string{`/content 7`}},
		"not an object":         {`[1]`, nil},
		"not JSON":              {`{"a":`, nil},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for place, value := range told.Members(jsontext.Value(test.record)) {
				got = append(got, place+" "+value)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(- want, + got)\n%s", diff)
			}
			for range told.Members(jsontext.Value(test.record)) {
				break
			}
		})
	}
}

func TestTheLastOfSeveralCounts(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ records, want []string }{
		"one":                       {[]string{`{"a":1}`}, nil},
		"the same":                  {[]string{`{"a":1}`, `{"a":1}`}, nil},
		"the same in another order": {[]string{`{"a":{"b":1,"c":2}}`, `{"a":{"c":2,"b":1}}`}, nil},
		"another":                   {[]string{`{"a":1}`, `{"a":2}`}, []string{"0 /x/a"}},
		"another member":            {[]string{`{"a":1}`, `{"b":2}`}, nil},
		"another after the same":    {[]string{`{"a":1}`, `{"a":1}`, `{"a":2}`}, []string{"0 /x/a", "1 /x/a"}},
		"back and forth":            {[]string{`{"a":1}`, `{"a":2}`, `{"a":1}`}, []string{"0 /x/a", "1 /x/a"}},
		"nothing between":           {[]string{`{"a":1}`, `{}`, `{"a":2}`}, []string{"0 /x/a"}},
		"an empty list":             {[]string{`{"a":[1]}`, `{"a":[]}`}, nil},
		"a member of a record":      {[]string{`{"content":{"a":1,"b":1}}`, `{"content":{"a":2}}`}, []string{"0 /x/content/a"}},
		"a record and another kind": {[]string{`{"content":{"a":1}}`, `{"content":2}`}, nil},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var last told.Last
			var got []string
			for i, record := range test.records {
				last.Tell(told.Place{Chunk: i, Pointer: "/x"}, jsontext.Value(record), func(p told.Place) {
					got = append(got, fmt.Sprint(p.Chunk, " ", p.Pointer))
				})
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(- want, + got)\n%s", diff)
			}
		})
	}
}

func TestPiecesOfCalls(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		part            geminiapi.Part
		isPiece, begins bool
	}{
		"a text":              {geminiapi.Part{Text: new("a")}, false, false},
		"a whole call":        {geminiapi.Part{FunctionCall: &geminiapi.FunctionCall{Name: new("f")}}, false, true},
		"a first piece":       {geminiapi.Part{FunctionCall: &geminiapi.FunctionCall{Name: new("f"), WillContinue: new(true)}}, true, true},
		"an only piece":       {geminiapi.Part{FunctionCall: &geminiapi.FunctionCall{Name: new("f"), PartialArgs: make([]geminiapi.PartialArg, 1)}}, true, true},
		"a piece":             {geminiapi.Part{FunctionCall: &geminiapi.FunctionCall{WillContinue: new(true)}}, true, false},
		"a last piece":        {geminiapi.Part{FunctionCall: &geminiapi.FunctionCall{}}, true, false},
		"a name that is none": {geminiapi.Part{FunctionCall: &geminiapi.FunctionCall{Name: new("")}}, true, false},
	}
	for name, test := range tests {
		if got := told.IsPiece(test.part); got != test.isPiece {
			t.Errorf("%s: a piece: %v", name, got)
		}
		if got := told.BeginsCall(test.part); got != test.begins {
			t.Errorf("%s: begins a call: %v", name, got)
		}
	}
}

func TestSupportsMoveWithTheSourcesThatTheyCount(t *testing.T) {
	t.Parallel()
	support := func(sources ...int) geminiapi.GroundingSupport {
		return geminiapi.GroundingSupport{GroundingChunkIndices: sources}
	}
	const first, second = "/groundingMetadata/groundingSupports/0/groundingChunkIndices", "/groundingMetadata/groundingSupports/1/groundingChunkIndices"
	tests := map[string]struct {
		supports  []geminiapi.GroundingSupport
		positions []int
		want      []string
	}{
		"none":                   {nil, []int{1, 2}, nil},
		"the same positions":     {[]geminiapi.GroundingSupport{support(0)}, nil, nil},
		"other positions":        {[]geminiapi.GroundingSupport{support(0), support(1)}, []int{1, 2}, []string{first, second}},
		"one counts nothing":     {[]geminiapi.GroundingSupport{support(), support(1)}, []int{1, 2}, []string{second}},
		"one counts all sources": {[]geminiapi.GroundingSupport{support(0), support(2)}, []int{1, 2}, nil},
		"one counts below":       {[]geminiapi.GroundingSupport{support(-1)}, []int{1, 2}, nil},
	}
	for name, test := range tests {
		g := &geminiapi.GroundingMetadata{GroundingChunks: make([]geminiapi.GroundingChunk, 2), GroundingSupports: test.supports}
		if diff := cmp.Diff(test.want, slices.Collect(told.Moved(g, test.positions))); diff != "" {
			t.Errorf("%s (- want, + got):\n%s", name, diff)
		}
	}
}
