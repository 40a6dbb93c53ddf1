package recording

import (
	"bytes"
	"io"
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
		if got := string(of.rest); got != "\n\ndata: {broken" {
			t.Errorf("in pieces of %d: %.100q", piece, got)
		}
	}
}

func TestTheLastBytesOfABrokenStreamAreHeld(t *testing.T) {
	t.Parallel()
	of := readAll(t, strings.Repeat("x", 3*exchange.MaxBroken)+"the end", 1<<12)
	if len(of.rest) != exchange.MaxBroken || !bytes.HasSuffix(of.rest, []byte("xxthe end")) {
		t.Errorf("%d bytes, %.20q", len(of.rest), of.rest[len(of.rest)-20:])
	}
}
