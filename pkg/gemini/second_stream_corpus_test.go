package gemini_test

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"github.com/gemwire/gemwire/internal/test/corpustest"
	"github.com/gemwire/gemwire/pkg/wire"
)

// Two recorded streams in one body are an error, unless nothing in them shows that they are two.
func TestTwoRecordedStreamsInOneBodyAreAnError(t *testing.T) {
	t.Parallel()
	var whole [][]byte
	for _, p := range corpustest.Payloads(t, corpustest.Stream) {
		body := append(bytes.TrimSpace(p.Read(t)), "\n\n"...)
		if _, _, err := readToTheEnd(bytes.NewReader(body)); err == nil &&
			bytes.HasPrefix(body, []byte("data:")) {
			whole = append(whole, body)
		}
	}
	doubled, pairs := 0, 0
	for i, body := range whole {
		if isSecondStream(body, body) {
			doubled++
		}
		if isSecondStream(body, whole[(i*7+11)%len(whole)]) {
			pairs++
		}
	}
	t.Logf("of %d streams %d are found when doubled and %d when another one follows", len(whole),
		doubled, pairs)
	if missed := len(whole) - doubled; missed > 5 {
		t.Errorf("%d doubled streams are taken for one", missed)
	}
	if missed := len(whole) - pairs; missed > 16 {
		t.Errorf("%d pairs of streams are taken for one", missed)
	}
	if len(whole) < corpustest.AtLeast(580) {
		t.Errorf("only %d streams", len(whole))
	}
}

func isSecondStream(first, second []byte) bool {
	_, _, err := readToTheEnd(io.MultiReader(bytes.NewReader(first), bytes.NewReader(second)))
	return errors.Is(err, wire.ErrSecondStream)
}
