package blob_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"

	"go.uber.org/goleak"

	"github.com/gemwire/gemwire/server/bulk/internal/blob"
	"github.com/gemwire/gemwire/server/internal/engine"
	"github.com/gemwire/gemwire/server/internal/engine/enginetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestWrittenDataIsReadForAnySplit(t *testing.T) {
	t.Parallel()
	e := enginetest.Open(t)
	piece := e.Files.PieceSize()
	for _, size := range []int{0, 1, piece - 1, piece, piece + 1, 2*piece - 1, 2 * piece,
		3*piece + 7} {
		content := make([]byte, size)
		for i := range content {
			content[i] = byte(i * 31 >> 3)
		}
		subject := fmt.Sprint(engine.SubjectFiles, "f", size)
		w := blob.NewWriter(e.Files, subject)
		for left := content; len(left) > 0; { // in parts that end anywhere
			n := min(1+rand.IntN(piece), len(left))
			if err := w.Write(t.Context(), left[:n]); err != nil {
				t.Fatal(err)
			}
			left = left[n:]
		}
		if err := w.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256(content)
		if w.Size() != int64(size) || w.SHA256() != hex.EncodeToString(sum[:]) {
			t.Errorf("%d bytes: written are %d with the digest %s", size, w.Size(), w.SHA256())
		}
		if read, err := io.ReadAll(blob.NewReader(t.Context(), e.Files, subject)); err != nil ||
			!bytes.Equal(read, content) {
			t.Errorf("%d bytes: read are %d, %v", size, len(read), err)
		}
	}
}

func TestAnUnclosedValueIsIncomplete(t *testing.T) {
	t.Parallel()
	e := enginetest.Open(t)
	w := blob.NewWriter(e.Files, engine.SubjectFiles+"cut")
	if err := w.Write(t.Context(), make([]byte, 3*e.Files.PieceSize())); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadAll(blob.NewReader(t.Context(), e.Files,
		engine.SubjectFiles+"cut")); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("what was cut off: %v; expected %v", err, io.ErrUnexpectedEOF)
	}
	if _, err := io.ReadAll(blob.NewReader(t.Context(), e.Files,
		engine.SubjectFiles+"none")); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("what there is not: %v; expected %v", err, io.ErrUnexpectedEOF)
	}
}

func TestOfTwoWritersOfASubjectOneIsRefused(t *testing.T) {
	t.Parallel()
	e := enginetest.Open(t)
	first, second := blob.NewWriter(e.Files, engine.SubjectFiles+"f"),
		blob.NewWriter(e.Files, engine.SubjectFiles+"f")
	if err := first.Write(t.Context(), []byte("first")); err != nil {
		t.Fatal(err)
	}
	if err := second.Write(t.Context(), []byte("second")); err != nil {
		t.Fatal(err)
	}
	if err := first.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := second.Close(t.Context()); !errors.Is(err, engine.ErrConflict) {
		t.Errorf("the second: %v; expected %v", err, engine.ErrConflict)
	}
	if read, err := io.ReadAll(blob.NewReader(t.Context(), e.Files,
		engine.SubjectFiles+"f")); err != nil || string(read) != "first" {
		t.Errorf("read is %q, %v", read, err)
	}
}
