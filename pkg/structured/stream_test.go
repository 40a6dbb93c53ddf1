package structured_test

import (
	"errors"
	"iter"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/structured"
	"github.com/google/go-cmp/cmp"
)

// inDeltas yields a text in deltas of a size, and then an error, if there is one.
func inDeltas(text string, size int, err error) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for rest := text; rest != ""; {
			delta := rest[:min(size, len(rest))]
			rest = rest[len(delta):]
			if !yield(delta, nil) {
				return
			}
		}
		if err != nil {
			yield("", err)
		}
	}
}

func TestAStreamYieldsGrowingValues(t *testing.T) {
	t.Parallel()
	text := "So [1]:\n" + fence + `json
{"id": "aé\n\ud83d\ude00", "lines": [{"sku": "b", "count": 12}, {"sku": "c", "count": 3}], "note": null, "x": [1, {}]}
` + fence + "\nBye {x}"
	var got []order
	for value, err := range structured.ParseStream[order](inDeltas(text, 1, nil)) {
		if err != nil {
			t.Fatal(err)
		}
		if len(got) == 0 || !cmp.Equal(got[len(got)-1], value) {
			got = append(got, value)
		}
	}
	want := []order{
		{},
		{ID: "a"},
		{ID: "aé"},
		{ID: "aé\n"},
		{ID: "aé\n😀"},
		{ID: "aé\n😀", Lines: []line{}},
		{ID: "aé\n😀", Lines: []line{{}}},
		{ID: "aé\n😀", Lines: []line{{SKU: "b"}}},
		{ID: "aé\n😀", Lines: []line{{"b", 12}}},
		{ID: "aé\n😀", Lines: []line{{"b", 12}, {}}},
		{ID: "aé\n😀", Lines: []line{{"b", 12}, {SKU: "c"}}},
		{ID: "aé\n😀", Lines: []line{{"b", 12}, {"c", 3}}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// The tests below read these texts as streams of orders.
var texts = []string{
	"", "prose", `{"id":"a"}`, `{"id":1}`, `{"id":""}`, `{"x":1}`, `{"id":"a`, `{"id":"a",}`,
	`{"lines":[{"sku":"s","count":1}],"id":"a"} {"id":"b"}`,
	"\uFEFFUse [ or [\"\n or {}: {\"id\":\"é\\u00e9\\ud83d\\ude00\\\"\",\"note\":\"x\"} bye",
	fence + "json\r\n{\"id\":\"a\",\r\n\"lines\":[]}\r\n" + fence + " and " + fence +
		"json\n{\"id\":\"b\"}\n" + fence,
	fence + "json\n{\"id\":\"a\",\"lines\":[\n" + fence + "\nbye", `[{"id":"a"},{"id":"b"`,
	"{'id': 'a', // c\n\"lines\": [{sku: \"b\" \"count\": 1},],}",
	`{"id":"a","lines":None,"note":"x`, "[{\"id\":\"a\nb\",},{'id':",
	`"{\"id\":\"a\"}"`, "<think>\n{\"id\":\"a\"}\n</think>\n> {\"id\":\n> \"b\"}",
}

func TestTheLastValueOfAStreamIsThatOfTheWholeText(t *testing.T) {
	t.Parallel()
	for _, text := range texts {
		for size := 1; size <= len(text)+1; size++ {
			sameAsParse[order](t, text, size)
			sameAsParse[order](t, text, size, structured.WithRepair(nil),
				structured.WithRejectUnknown())
			sameAsParse[any](t, text, size)
			sameAsParse[[]order](t, text, size)
		}
	}
	for _, text := range []string{`"a\u00e9"`, "-12.5e3", "true", "null", fence + "\n12\n" + fence,
		`"a`} {
		for size := 1; size <= len(text); size++ {
			sameAsParse[any](t, text, size)
			sameAsParse[string](t, text, size)
		}
	}
}

// sameAsParse reads a text as a stream, and checks that all but the last pair have no error.
func sameAsParse[T any](t *testing.T, text string, size int, opts ...structured.Option) {
	t.Helper()
	want, wantErr := structured.Parse[T](text, opts...)
	var value T
	var err error
	pairs := 0
	for value, err = range structured.ParseStream[T](inDeltas(text, size, nil), opts...) {
		if pairs++; err != nil {
			break
		}
	}
	if pairs == 0 || !cmp.Equal(want, value) || (err == nil) != (wantErr == nil) ||
		err != nil && err.Error() != wantErr.Error() {
		t.Errorf("%q in deltas of %d: %d pairs, the last %+v, %v; Parse: %+v, %v", text, size,
			pairs, value, err, want, wantErr)
	}
}

func TestAStreamOfANumberShowsItWhenItIsComplete(t *testing.T) {
	t.Parallel()
	var got []int
	for value, err := range structured.ParseStream[int](inDeltas("123 \n", 1, nil)) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, value)
	}
	if diff := cmp.Diff([]int{123, 123}, got); diff != "" {
		t.Error(diff)
	}
}

func TestARepairInAStreamIsReportedOnce(t *testing.T) {
	t.Parallel()
	reports := 0
	count := structured.WithRepair(func(structured.Repair) { reports++ })
	for _, err := range structured.ParseStream[order](inDeltas(`{"id":"abc","lines":[`, 1, nil),
		count) {
		if err != nil {
			t.Error(err)
		}
	}
	if reports != 1 {
		t.Errorf("%d reports", reports)
	}
}

func TestAStreamThatBreaksOffEndsInItsError(t *testing.T) {
	t.Parallel()
	broken := errors.New("connection lost")
	var values []order
	var errs []error
	for value, err := range structured.ParseStream[order](inDeltas(`{"id":"a","lines":[`, 9,
		broken)) {
		values, errs = append(values, value), append(errs, err)
	}
	last := len(errs) - 1
	if last < 1 || !errors.Is(errs[last], broken) ||
		errs[last].Error() != "structured: the text breaks off after 19 bytes: connection lost" {
		t.Fatalf("%v", errs)
	}
	if values[last].ID != "a" || errors.Join(errs[:last]...) != nil {
		t.Errorf("%+v, %v", values, errs)
	}
}

func TestAStreamIsReadNoFurtherThanTheCallerWants(t *testing.T) {
	t.Parallel()
	read := 0
	deltas := func(yield func(string, error) bool) {
		for _, delta := range []string{`{"id":"a`, `b`, `c"}`} {
			read++
			if !yield(delta, nil) {
				return
			}
		}
	}
	for value := range structured.ParseStream[order](deltas) {
		if value.ID != "a" {
			t.Errorf("%+v", value)
		}
		break
	}
	if read != 1 {
		t.Errorf("%d deltas were read", read)
	}
}

func TestALongStreamStaysLinear(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it counts what a stream of a megabyte gives, which a full run shows")
	}
	text := `{"id":"` + strings.Repeat("a", 1<<20) + `"}`
	values, longest := 0, 0
	for value, err := range structured.ParseStream[order](inDeltas(text, 16, nil)) {
		if err != nil {
			t.Fatal(err)
		}
		if grown := len(value.ID) - longest; grown > 1<<20/32 {
			t.Errorf("value %d came after %d bytes", values, grown)
		}
		values, longest = values+1, len(value.ID)
	}
	// Returning a value for each delta would mean 65,536 values with 32 GiB in total.
	if values < 64 || values > 2000 {
		t.Errorf("%d values", values)
	}
}
