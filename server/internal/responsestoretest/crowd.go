package responsestoretest

import (
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/gemwire/gemwire/server/gateway/responsestore"
)

// Crowd uses a store from several goroutines at the same time, each with its own owner and all with
// a common one.
func Crowd(t *testing.T, s responsestore.Store) {
	t.Helper()
	var group sync.WaitGroup
	for i := range 4 {
		group.Go(func() {
			own := responsestore.OwnerOf(fmt.Sprint("key ", i))
			for n := range 12 {
				id, entry := fmt.Sprint("resp_", n), fmt.Sprint("input:item_", n)
				for _, owner := range []responsestore.Owner{own, alice} {
					use(t, s, owner, document(id, fmt.Sprint("resp_", n-1), entry))
				}
			}
		})
	}
	group.Wait()
}

// use writes documents, reads them and deletes every other one.
func use(t *testing.T, s responsestore.Store, owner responsestore.Owner, w responsestore.Write) {
	id, entry := w.Document.ID, w.Entries[0].ID
	check := func(what string, err error) {
		if err != nil && !errors.Is(err, responsestore.ErrNotFound) { // another one has deleted it
			t.Errorf("%s: %v", what, err)
		}
	}
	check("Put", s.Put(t.Context(), owner, w))
	if d, err := s.Get(t.Context(), owner, id); err == nil &&
		string(d.JSON) != string(w.Document.JSON) {
		t.Errorf("%s is %s", id, d.JSON)
	} else {
		check("Get", err)
	}
	_, _, err := s.Entries(t.Context(), owner, id, responsestore.Input,
		responsestore.Page{Limit: 3})
	check("Entries", err)
	_, _, err = s.Find(t.Context(), owner, entry)
	check("Find", err)
	check("DeleteEntry", s.DeleteEntry(t.Context(), owner, id, entry))
	if len(id)%2 == 0 {
		check("Delete", s.Delete(t.Context(), owner, id))
	}
}
