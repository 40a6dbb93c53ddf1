package batch

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/gemwire/gemwire/server/bulk"
)

func TestAnIncompleteOutputSaysHowManyLinesWerePrinted(t *testing.T) {
	t.Parallel()
	var stdout bytes.Buffer
	l := &look{session: &session{stdout: &stdout, stderr: io.Discard}}
	damage := &bulk.DamageError{Job: "j",
		Damage: []bulk.Damage{{First: 3, Last: 9, Lines: 7}}}
	err := l.copyLines("j", io.MultiReader(strings.NewReader("1\n2\n"), iotest.ErrReader(damage)))
	if !errors.Is(err, bulk.ErrDamaged) || stdout.String() != "1\n2\n" ||
		!strings.Contains(err.Error(), "first 2 lines were printed") ||
		!strings.Contains(err.Error(), "lines 3 to 9") {
		t.Errorf("%v, %q", err, stdout.String())
	}
}
