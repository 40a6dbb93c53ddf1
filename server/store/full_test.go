package store_test

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/server/gateway/responsestore"
	"github.com/gemwire/gemwire/server/store"
)

// TestAFullDiskRefusesWritesUntilThereIsRoom needs a small disk, such as
//
//	mount -t tmpfs -o size=64m tmpfs /mnt && GEMWIRE_SMALL_DISK=/mnt go test -run FullDisk ./server/store
func TestAFullDiskRefusesWritesUntilThereIsRoom(t *testing.T) {
	disk := os.Getenv("GEMWIRE_SMALL_DISK")
	if disk == "" {
		t.Skip("there is no small disk")
	}
	s, err := store.Open(t.Context(), store.InFolder(disk+"/store"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	d, err := s.Documents(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = d.Close() }()
	ballast := disk + "/ballast"
	if err := os.WriteFile(ballast, make([]byte, 40<<20), 0o600); err != nil {
		t.Fatal(err)
	}
	put := func(i int) error {
		return d.Put(t.Context(), owner, responsestore.Write{Document: &responsestore.Document{
			ID: fmt.Sprint("resp_", i), JSON: []byte(`"` + strings.Repeat("x", 200_000) + `"`)}})
	}
	written := 0
	for err == nil && written < 1000 {
		if err = put(written); err == nil {
			written++
		}
	}
	if !errors.Is(err, responsestore.ErrUnavailable) || !strings.Contains(err.Error(), "full") {
		t.Errorf("after %d documents: %v", written, err)
	}
	t.Logf("after %d documents: %v", written, err)
	for i := range written { // reading needs no room
		if _, err := d.Get(t.Context(), owner, fmt.Sprint("resp_", i)); err != nil {
			t.Errorf("resp_%d: %v", i, err)
		}
	}
	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	if err := put(written); err != nil {
		t.Errorf("there is room again: %v", err)
	}
}
