package normalize

import (
	"strings"
	"testing"
)

func TestSearchingForMissingTextIsBounded(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("潮は満ちる。", 1000) + "here"
	x := newTextIndex(&Candidate{Blocks: []Block{{Type: BlockText, Text: text}}})
	budget := x.effort
	if budget > 100*len(text)+1<<20 {
		t.Fatalf("%d bytes may be searched in a text of %d", budget, len(text))
	}
	if at, ok := x.nearest(0, "here"); !ok || at != len(text)-len("here") {
		t.Fatalf("nearest is %d, %v", at, ok)
	}
	missed := 0
	for x.effort >= 0 {
		if _, ok := x.nearest(len(text)/2, "nowhere"); ok {
			t.Fatal("found what is not there")
		}
		if missed++; missed > budget/len(text)+1 {
			t.Fatalf("%d searches through the whole text are not counted", missed)
		}
	}
	if _, ok := x.nearest(0, "here"); ok {
		t.Error("the search continues after its effort is used up")
	}
	span := x.span(0, true, 0, len("潮は"), "here")
	if want := (Span{Start: 0, End: 2, Text: "here", Approximated: true}); span != want {
		t.Errorf("without a search the span is %+v, want %+v", span, want)
	}
	if exact := x.span(0, true, 0, len("潮は"), "潮は"); exact.Approximated {
		t.Error("what stands where it should is not found without a search")
	}
}

// Lengths of the text near the distance of the marks. A mark at the end of the text is a special
// case.
func TestMarksReachTheEndOfTheText(t *testing.T) {
	t.Parallel()
	for size := range 4 * markEvery {
		text := strings.Repeat("é", size)
		x := newTextIndex(&Candidate{Blocks: []Block{{Type: BlockText, Text: text}}})
		if got := x.characters(len(text)); got != size {
			t.Errorf("the end of %d characters is at %d", size, got)
		}
	}
}
