package documents_test

import (
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/gemwire/gemwire/server/gateway/responsestore"
	"github.com/gemwire/gemwire/server/internal/engine"
	"github.com/gemwire/gemwire/server/internal/engine/enginetest"
	"github.com/gemwire/gemwire/server/store/internal/documents"
)

func TestPiecesOfAKilledWriterAreRemovedAndNoOthers(t *testing.T) {
	t.Parallel()
	e := enginetest.Open(t)
	var late atomic.Int64
	s := open(t, e, responsestore.Bounds{}, documents.WithClock(func() time.Time {
		return time.Now().Add(time.Duration(late.Load()))
	}))
	defer func() { _ = s.Close() }()
	owner := responsestore.Owner{1}
	long := []byte(`"` + strings.Repeat("x", 2<<20) + `"`)
	if err := s.Put(t.Context(), owner, responsestore.Write{
		Document: &responsestore.Document{ID: "whole", JSON: long}}); err != nil {
		t.Fatal(err)
	}
	pieces := func() (subjects []string) {
		subjects, err := e.Documents.Subjects(t.Context(), engine.SubjectPiece+">")
		if err != nil {
			t.Fatal(err)
		}
		return subjects
	}
	whole := pieces()
	named := strings.Split(strings.TrimPrefix(whole[0], engine.SubjectPiece), ".")
	for _, subject := range []string{"owner.document.name.0", "owner.document.name.3",
		named[0] + "." + named[1] + ".other.1"} { // the last is of the document itself
		if err := e.Documents.Create(t.Context(), &nats.Msg{Subject: engine.SubjectPiece + subject,
			Data: long[:1000]}); err != nil {
			t.Fatal(err)
		}
	}
	if err := documents.RemoveOrphans(t.Context(), s); err != nil || len(pieces()) != len(whole)+3 {
		t.Errorf("at once: %d pieces, want %d, %v", len(pieces()), len(whole)+3, err)
	}
	late.Store(int64(11 * time.Minute))
	if err := documents.RemoveOrphans(t.Context(), s); err != nil || len(pieces()) != len(whole) {
		t.Errorf("later: %d pieces, want %d, %v", len(pieces()), len(whole), err)
	}
	if found, err := s.Get(t.Context(), owner, "whole"); err != nil ||
		len(found.JSON) != len(long) {
		t.Errorf("%d bytes, %v", len(found.JSON), err)
	}
}
