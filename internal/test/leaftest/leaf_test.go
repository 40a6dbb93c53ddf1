package leaftest_test

import (
	"testing"

	"github.com/gemwire/gemwire/internal/test/leaftest"
	"github.com/google/go-cmp/cmp"
)

const document = `{"name":"a\"b","list":[1, -0.5,{"deep":true}],"none":null,"a/b~c":false,"empty":{},"id":"99","big":1e300}`

func TestAllFindsEveryScalarOnceInOrder(t *testing.T) {
	t.Parallel()
	leaves, err := leaftest.All([]byte(document))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, l := range leaves {
		got = append(got, l.Pointer)
	}
	want := []string{"/name", "/list/0", "/list/1", "/list/2/deep", "/a~1b~0c", "/id", "/big"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestChangeReplacesOneLeafAndNothingElse(t *testing.T) {
	t.Parallel()
	want := []string{
		`{"name":"a\"bx","list":[1, -0.5,{"deep":true}],"none":null,"a/b~c":false,"empty":{},"id":"99","big":1e300}`,
		`{"name":"a\"b","list":[2, -0.5,{"deep":true}],"none":null,"a/b~c":false,"empty":{},"id":"99","big":1e300}`,
		`{"name":"a\"b","list":[1, 0.5,{"deep":true}],"none":null,"a/b~c":false,"empty":{},"id":"99","big":1e300}`,
		`{"name":"a\"b","list":[1, -0.5,{"deep":false}],"none":null,"a/b~c":false,"empty":{},"id":"99","big":1e300}`,
		`{"name":"a\"b","list":[1, -0.5,{"deep":true}],"none":null,"a/b~c":true,"empty":{},"id":"99","big":1e300}`,
		`{"name":"a\"b","list":[1, -0.5,{"deep":true}],"none":null,"a/b~c":false,"empty":{},"id":"100","big":1e300}`,
		`{"name":"a\"b","list":[1, -0.5,{"deep":true}],"none":null,"a/b~c":false,"empty":{},"id":"99","big":2e+300}`,
	}
	leaves, err := leaftest.All([]byte(document))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, l := range leaves {
		got = append(got, string(l.Change([]byte(document))))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestChangeAlwaysMakesAnotherNumber(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"0": "1", "-1": "0", "9223372036854775807": "1.8446744073709552e+19",
		"40.0": "41", "1.5": "2.5", "1e308": "1", "123456789012345678901": "2.4691357802469137e+20",
	} {
		leaves, err := leaftest.All([]byte(in))
		if err != nil || len(leaves) != 1 || leaves[0].Pointer != "" {
			t.Fatalf("%s: %v, %v", in, leaves, err)
		}
		if got := string(leaves[0].Change([]byte(in))); got != want {
			t.Errorf("%s becomes %s, want %s", in, got, want)
		}
	}
}

func TestValuesAreAllThatCanBeReplaced(t *testing.T) {
	t.Parallel()
	const in = `{"a":[1,{}],"b":null}`
	want := map[string]string{"": `#`, "/a": `{"a":#,"b":null}`, "/a/0": `{"a":[#,{}],"b":null}`,
		"/a/1": `{"a":[1,#],"b":null}`, "/b": `{"a":[1,{}],"b":#}`}
	values, err := leaftest.Values([]byte(in))
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, v := range values {
		got[v.Pointer] = string(v.Replace([]byte(in), "#"))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestALeafOfAChunkChangesItsChunkAlone(t *testing.T) {
	t.Parallel()
	chunks := []string{`{"a":1}`, `{"a":[2,true]}`}
	leaves, err := leaftest.AllOfChunks(chunks)
	if err != nil || len(leaves) != 3 {
		t.Fatalf("%v, %v", leaves, err)
	}
	if diff := cmp.Diff([]string{`{"a":1}`, `{"a":[2,false]}`},
		leaves[2].ChangeIn(chunks)); diff != "" {
		t.Error(diff)
	}
}

func TestAllRefusesInvalidJSON(t *testing.T) {
	t.Parallel()
	for _, in := range []string{`{`, `[1,`, `{"a":1`, `nope`, `[1]]`, `{"a":1,"a":2}`} {
		if leaves, err := leaftest.All([]byte(in)); err == nil {
			t.Errorf("%q gives %v and no error", in, leaves)
		}
	}
}

func TestInventionsAreMembersKindsAndValuesOfEnums(t *testing.T) {
	t.Parallel()
	const document = `{"a":[{"b":"NEW_YORK"}],"c":{},"d":[],"e":["x"]}`
	inventions, err := leaftest.Inventions([]byte(document))
	if err != nil {
		t.Fatal(err)
	}
	want := `{"inventedMember":{"at":1.50},"a":[{"inventedKind":{"at":6}},{"inventedMember":{"at":7.50},"b":"NEW_YORK_INVENTED"}],` +
		`"c":{"inventedMember":{"at":29.50}},"d":[],"e":["x"]}`
	if got := string(leaftest.Invent([]byte(document), inventions)); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if _, err := leaftest.Inventions([]byte(`{"a":`)); err == nil {
		t.Error("a document that is cut off has inventions")
	}
}

func TestSampleIsEvenlySpread(t *testing.T) {
	t.Parallel()
	leaves, err := leaftest.All([]byte(`[0,1,2,3,4,5,6,7,8,9]`))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, l := range leaftest.Sample(leaves, 4) {
		got = append(got, l.Pointer)
	}
	if diff := cmp.Diff([]string{"/0", "/3", "/6", "/9"}, got); diff != "" {
		t.Error(diff)
	}
	if n := len(leaftest.Sample(leaves, 10)); n != 10 {
		t.Errorf("%d of 10 leaves", n)
	}
}
