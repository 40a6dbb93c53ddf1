package store_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/server/gateway/responsestore"
	"github.com/gemwire/gemwire/server/internal/engine"
	"github.com/gemwire/gemwire/server/store"
)

const (
	key    = "0123456789abcdef"
	secret = "what a user writes"
)

var owner = responsestore.OwnerOf("")

// visit opens a store, writes and reads a document and a signature, and closes the store.
func visit(t *testing.T, folder string, isNew bool, opts ...store.Option) error {
	t.Helper()
	s, err := store.Open(t.Context(), append(opts, store.InFolder(folder))...)
	if err != nil {
		return err
	}
	defer func() { _ = s.Close() }()
	d, err := s.Documents(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = d.Close() }()
	if !isNew {
		if found, err := d.Get(t.Context(), owner, "a"); err != nil ||
			!strings.Contains(string(found.JSON), secret) {
			t.Errorf("the document: %+v, %v", found, err)
		}
		if found, err := s.Signatures().Find(t.Context(), "name"); found != secret || err != nil {
			t.Errorf("the signature: %q, %v", found, err)
		}
	}
	if err := d.Put(t.Context(), owner, responsestore.Write{Document: &responsestore.Document{
		ID: "a", JSON: []byte(`"` + secret + `"`)}}); err != nil {
		t.Error(err)
	}
	if err := s.Signatures().Keep(t.Context(), "name", secret); err != nil {
		t.Error(err)
	}
	return nil
}

// hasText reports whether a file of a folder has a text.
func hasText(t *testing.T, folder, text string) (has bool) {
	t.Helper()
	if err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(path)
		has = has || bytes.Contains(data, []byte(text))
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return has
}

func TestAFolderIsEncryptedWithItsKeyAndOpensWithNoOther(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "store")
	if err := visit(t, folder, true, store.WithKey(key)); err != nil {
		t.Fatal(err)
	}
	for name, opts := range map[string][]store.Option{
		"another key": {store.WithKey(key + "x")}, "no key": nil,
	} {
		err := visit(t, folder, false, opts...)
		wrong, is := errors.AsType[*engine.KeyError](err)
		if !is || wrong.IsMissing != (opts == nil) || wrong.IsPlain ||
			!strings.HasPrefix(err.Error(), "store: the store in "+folder+" is encrypted") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := visit(t, folder, false, store.WithKey(key)); err != nil {
		t.Error(err)
	}
	if hasText(t, folder, secret) || hasText(t, folder, key) {
		t.Error("the folder has text that is not encrypted")
	}
}

// NATS' server would lose streams of it.
func TestAFolderWithoutAKeyGetsNone(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "store")
	if err := visit(t, folder, true); err != nil {
		t.Fatal(err)
	}
	if !hasText(t, folder, secret) {
		t.Error("the folder is encrypted without a key")
	}
	err := visit(t, folder, false, store.WithKey(key))
	if wrong, is := errors.AsType[*engine.KeyError](err); !is || !wrong.IsPlain {
		t.Errorf("with a key: %v", err)
	}
	if err := visit(t, folder, false); err != nil {
		t.Error(err)
	}
}

func TestAStreamThatCannotBeReadIsAnErrorWithItsFolderAndNotAnEmptyStore(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "store")
	if err := visit(t, folder, true); err != nil {
		t.Fatal(err)
	}
	stream := filepath.Join(folder, "jetstream", "$G", "streams", "GEMWIRE_STORE_DOCUMENTS")
	meta := filepath.Join(stream, "meta.inf")
	data, err := os.ReadFile(meta)
	if err != nil {
		t.Fatal(err)
	}
	for name, damage := range map[string][]byte{
		"a byte is changed": append([]byte{data[0] ^ 1}, data[1:]...), "it is cut": data[:20],
		"it is empty": nil,
	} {
		if err := os.WriteFile(meta, damage, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := visit(t, folder, false); !errors.Is(err, engine.ErrDamaged) ||
			!strings.Contains(err.Error(), stream) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := os.WriteFile(meta, data, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := visit(t, folder, false); err != nil {
		t.Errorf("the file is restored: %v", err)
	}
}

func TestAFolderThatCannotBeMadeIsNamed(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{file, filepath.Join(file, "store")} {
		if err := visit(t, path, true); err == nil || !strings.Contains(err.Error(), file) {
			t.Errorf("%s: %v", path, err)
		}
	}
}
