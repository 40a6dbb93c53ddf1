package filestore_test

import (
	"errors"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/filestore"
)

func TestPiecesMakeAFile(t *testing.T) {
	t.Parallel()
	s := filestore.New(0, 100)
	u := s.Begin(geminiapi.File{DisplayName: new("d")}, 5)
	for _, step := range []struct {
		offset int64
		piece  string
		isLast bool
		want   error
	}{
		{0, "ab", false, nil},
		{0, "ab", false, filestore.ErrOffset},
		{2, "cdef", false, filestore.ErrSize},
		{2, "cd", true, filestore.ErrSize},
		{2, "cde", true, nil},
		{5, "", true, filestore.ErrOffset},
	} {
		if err := s.Append(u, step.offset, []byte(step.piece), step.isLast); !errors.Is(err,
			step.want) {
			t.Errorf("%q at %d: got %v, want %v", step.piece, step.offset, err, step.want)
		}
	}
	received, file, _ := u.State()
	if received != 5 || file == nil || string(file.Content) != "abcde" || !s.Has(file.ID) {
		t.Errorf("got %d bytes, %+v", received, file)
	}
}

func TestACancelledUploadTakesNothingMore(t *testing.T) {
	t.Parallel()
	s := filestore.New(0, 100)
	u := s.Begin(geminiapi.File{}, -1)
	u.Cancel()
	if err := s.Append(u, 0, []byte("a"), true); !errors.Is(err, filestore.ErrCancelled) {
		t.Errorf("got %v", err)
	}
}

func TestMemoryIsBounded(t *testing.T) {
	t.Parallel()
	s := filestore.New(0, 100)
	whole := make([]byte, 50)
	first, second := s.Add(geminiapi.File{}, whole), s.Add(geminiapi.File{}, whole)
	if s.Fits(1) || !s.Fits(0) || first.ID == second.ID {
		t.Error("there is room for more")
	}
	u := s.Begin(geminiapi.File{}, -1)
	if err := s.Append(u, 0, []byte("a"), true); !errors.Is(err, filestore.ErrFull) {
		t.Errorf("got %v", err)
	}
	s.Delete(first.ID)
	if err := s.Append(u, 0, []byte("a"), true); err != nil {
		t.Error(err)
	}
}
