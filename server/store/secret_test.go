package store_test

import (
	"bytes"
	"testing"

	"github.com/gemwire/gemwire/server/store"
)

func TestASecretIsTheSameAfterTheStoreIsOpenedAgain(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	read := func(name string) []byte {
		s, err := store.Open(t.Context(), store.InFolder(folder))
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		secret, err := s.Secret(t.Context(), name)
		if err != nil || len(secret) != 32 {
			t.Fatalf("%d bytes, %v", len(secret), err)
		}
		return secret
	}
	first := read("compaction")
	if !bytes.Equal(first, read("compaction")) {
		t.Error("the secret has changed")
	}
	if bytes.Equal(first, read("other")) {
		t.Error("two names have one secret")
	}
	memory, err := store.Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if secret, err := memory.Secret(t.Context(), "compaction"); secret != nil || err != nil {
		t.Errorf("in memory: %d bytes, %v", len(secret), err)
	}
}
