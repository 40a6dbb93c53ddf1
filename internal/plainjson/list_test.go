package plainjson_test

import (
	"strings"
	"testing"

	"github.com/gemwire/gemwire/internal/plainjson"
)

// large is an object that is expensive to copy in a list.
type large [64]int

func TestRoomIsMadeByTheSizeOfTheFirstElements(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ elements, grown int }{{1, 0}, {2, 1}, {40, 1}, {500, 4}} {
		d := plainjson.NewDecoder([]byte("[" +
			strings.TrimSuffix(strings.Repeat(`{"a":1},`, tc.elements), ",") + "]"))
		more := d.BeginList()
		list, grown := make([]large, 0, 1), 0
		for begin := d.Offset(); more; more = d.NextElement() {
			before := cap(list)
			if list = append(plainjson.GrowList(&d, begin, list), large{}); cap(list) != before {
				grown++
			}
			_ = d.Value()
		}
		if !d.Done() || len(list) != tc.elements || grown > tc.grown {
			t.Errorf("%d elements: %d are read, and the list is made larger %d times", tc.elements,
				len(list), grown)
		}
	}
}

func TestRoomOfABrokenTextIsSmall(t *testing.T) {
	t.Parallel()
	d := plainjson.NewDecoder([]byte(`[1` + strings.Repeat(" ", 1<<20) + `]`))
	d.BeginList()
	begin := d.Offset()
	d.Fail()
	if list := plainjson.GrowList(&d, begin, make([]large, 1)); cap(list) > 8 {
		t.Errorf("room for %d", cap(list))
	}
}
