package store

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/server/internal/engine/enginetest"
)

func TestTheOldestSignaturesMakeRoomForNewOnes(t *testing.T) {
	t.Parallel()
	const size, bound, count = 50_000, 1 << 20, 60
	s := newSignatures(enginetest.Open(t), bound)
	for i := range count {
		if err := s.Keep(t.Context(), fmt.Sprint("s", i), strings.Repeat("x", size)); err != nil {
			t.Fatal(err)
		}
	}
	kept := 0
	for i := range count {
		found, err := s.Find(t.Context(), fmt.Sprint("s", i))
		switch {
		case err != nil:
			t.Fatal(err)
		case found != "":
			kept++
		case kept > 0 || i == count-1:
			t.Errorf("s%d is removed, and an older one is not", i)
		}
	}
	if most := bound/size*(trimShare+1)/trimShare + 1; kept > most || kept < most/2 {
		t.Errorf("%d signatures are kept, at most %d", kept, most)
	}
}
