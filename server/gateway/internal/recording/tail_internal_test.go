package recording

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/server/gateway/exchange"
)

// readAll returns a tail that was read to its end in pieces.
func readAll(t *testing.T, text string, piece int) *tail {
	t.Helper()
	of := &tail{ReadCloser: io.NopCloser(strings.NewReader(text))}
	for buffer := make([]byte, piece); ; {
		if _, err := of.Read(buffer); err == io.EOF {
			return of
		} else if err != nil {
			t.Fatal(err)
		}
	}
}

func TestWhatFollowsALargeChunkIsHeld(t *testing.T) {
	t.Parallel()
	large := `{"data":"` + strings.Repeat("x", 2*exchange.MaxBroken) + `"}`
	for _, piece := range []int{1 << 10, 1 << 20} {
		of := readAll(t, "data: "+large+"\n\ndata: {broken", piece)
		of.passed([]byte(large))
		if got := string(of.rest()); got != "\n\ndata: {broken" {
			t.Errorf("in pieces of %d: %.100q", piece, got)
		}
	}
}

func TestTheBeginningAndTheEndOfMuchThatBreaksAStreamAreHeld(t *testing.T) {
	t.Parallel()
	of := readAll(t, "the beginning"+strings.Repeat("x", 3*exchange.MaxBroken)+"the end", 1<<12)
	got := of.rest()
	if len(got) > exchange.MaxBroken || len(got) < exchange.MaxBroken-2 ||
		!bytes.HasPrefix(got, []byte("the beginningx")) || !bytes.HasSuffix(got, []byte("xthe end")) ||
		!bytes.Contains(got, []byte("x"+gap+"x")) {
		t.Errorf("%d bytes, %.20q", len(got), got)
	}
}

func TestWhatFollowsManyChunksIsHeld(t *testing.T) {
	t.Parallel()
	of := &tail{}
	for n := range 10_000 {
		chunk := []byte(`{"n":` + strings.Repeat("7", n%50) + `}`)
		of.add(slices.Concat([]byte("data: "), chunk, []byte("\n\n")))
		of.passed(chunk)
	}
	of.add([]byte("broken"))
	if got := string(of.rest()); got != "\n\nbroken" {
		t.Errorf("%.100q", got)
	}
}
