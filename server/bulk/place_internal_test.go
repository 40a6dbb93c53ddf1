package bulk

import (
	"bytes"
	"errors"
	"path/filepath"
	"testing"

	"github.com/gemwire/gemwire/server/bulk/line"
)

func TestAStoreIsInADirectoryOrOnServersAndNeverInBoth(t *testing.T) {
	t.Parallel()
	standard, err := DefaultDirectory()
	if err != nil {
		t.Fatal(err)
	}
	relative, err := filepath.Abs("store")
	if err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		set  settings
		want string // directory
	}{
		"neither":                   {settings{}, standard},
		"servers":                   {settings{url: "nats://store"}, ""},
		"a directory relative to .": {settings{directory: "store"}, relative},
	} {
		if err := tt.set.place(); err != nil || tt.set.directory != tt.want {
			t.Errorf("%s: %q, %v; want %q", name, tt.set.directory, err, tt.want)
		}
	}
	if err := (&settings{url: "nats://store", directory: "store"}).place(); err == nil {
		t.Error("both are no error")
	}
}

func TestAnItemForATestKeepsItsNote(t *testing.T) {
	t.Parallel()
	item := NewItem(&Job{ID: "job"}, 0, nil, nil, nil)
	if note := item.Note(); note != nil {
		t.Errorf("at first: %q", note)
	}
	first, second := []byte("one"), []byte("two")
	if err := item.SetNote(t.Context(), first); err != nil || !bytes.Equal(item.Note(), first) {
		t.Errorf("%q, %v; want %q", item.Note(), err, first)
	}
	if err := item.Discard(t.Context(), second, line.Usage{InputTokens: 1}); err != nil ||
		!bytes.Equal(item.Note(), second) {
		t.Errorf("%q, %v; want %q", item.Note(), err, second)
	}
}

func TestACancelledJobCanBeCancelledAgainUntilItHasEnded(t *testing.T) {
	t.Parallel()
	s := openSwept(t)
	s.submit("job", Submission{})
	s.cancel("job")
	since := s.record("job").CancellingAt
	s.at = s.at.Add(1)
	if job, err := s.Cancel(t.Context(), "job"); err != nil || job.State != Cancelling ||
		!job.CancellingAt.Equal(since) {
		t.Errorf("while it is cancelling: %+v, %v", job, err)
	}
	if err := s.finishTask(t.Context(), "job"); err != nil {
		t.Fatal(err)
	}
	_, err := s.Cancel(t.Context(), "job")
	refused, ok := errors.AsType[*StateError](err)
	if !ok || refused.State != Cancelled || refused.ID != "job" || refused.Action != "cancel" {
		t.Errorf("after its end: %v", err)
	}
}
