package codec_test

import (
	"testing"

	"github.com/gemwire/gemwire/internal/codec"
)

func TestPointerOfALocation(t *testing.T) {
	t.Parallel()
	var root codec.Location
	if got := root.Pointer(); got != "" {
		t.Errorf("the payload itself is at %q", got)
	}
	list := root.Member("contents")
	first := list.Element(0)
	odd := first.Member("a/b~c")
	empty := odd.Member("")
	if got, want := empty.Pointer(), "/contents/0/a~1b~0c/"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	first.Index, odd.Name = 12, "d"
	if got, want := empty.Pointer(), "/contents/12/d/"; got != want {
		t.Errorf("after a step changed: got %q, want %q", got, want)
	}
}
