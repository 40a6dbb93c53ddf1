package plainjson_test

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/internal/plainjson"
)

func TestMembersOfAnyObjectAreSplit(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat("[", 300) + strings.Repeat("]", 300)
	for in, want := range map[string]string{
		`{}`:                                   "",
		" {\n\"a\" : 1 ,\"b\":{\"c\":[ 2 ]}} ": `a=1 b={"c":[ 2 ]} `,
		`{"a":null,"a":"\ud800","\u0062\"":{"x":1,"x":2}}`: `a=null a="\ud800" b"={"x":1,"x":2} `,
		`{"a":` + deep + `,"é":-1.5e3,"":true,"c":"}\"{"}`: `a=` + deep +
			` é=-1.5e3 =true c="}\"{" `,
	} {
		members, fault := plainjson.AppendMembers(nil, []byte(in))
		var got strings.Builder
		for _, m := range members {
			got.WriteString(string(m.Name) + "=" + string(m.Value) + " ")
		}
		if fault != nil || got.String() != want {
			t.Errorf("%.100s: got %s, %v, want %s", in, got.String(), fault, want)
		}
	}
}

func TestAnInvalidObjectIsAFault(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]plainjson.SyntaxFault{
		``:            {Reason: "it ends too early"},
		`{"a":1`:      {Offset: 6, Reason: "it ends too early"},
		`[1]`:         {Reason: "an object was expected"},
		`{} {}`:       {Reason: "something follows it"},
		`{} }`:        {Offset: 3, Reason: "not JSON"},
		`{"a":[1,x]}`: {Pointer: "/a/1", Offset: 8, Reason: "not JSON"},
		`{"a":` + strings.Repeat("[", 10_001) + strings.Repeat("]", 10_001) + `}`: {
			Pointer: "/a" + strings.Repeat("/0", 9_999), Offset: 10_004,
			Reason: "it is nested too deeply"},
	} {
		_, fault := plainjson.AppendMembers(nil, []byte(in))
		if fault == nil || fault.Pointer != want.Pointer || fault.Offset != want.Offset ||
			fault.Reason != want.Reason {
			t.Errorf("%.100s: %.200v", in, fault)
		}
	}
	if fault := plainjson.CheckObject(nil); !errors.Is(fault.Err, io.EOF) &&
		!errors.Is(fault.Err, io.ErrUnexpectedEOF) {
		t.Errorf("the cause is %v", fault.Err)
	}
}
