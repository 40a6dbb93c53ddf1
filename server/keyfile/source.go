// Package keyfile reads and changes the client keys of a gateway, in a file or in its store.
//
//	source := keyfile.InFile("keys.yaml")
//	err := source.Change(ctx, func(text []byte) ([]byte, error) {
//		return keyfile.Add(text, keyfile.Member{"name", "alice"}, ...)
//	})
//
// A change keeps the comments of the file.
package keyfile

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"github.com/gemwire/gemwire/server/gateway/clientkey"
	"github.com/gemwire/gemwire/server/internal/engine"
	"github.com/gemwire/gemwire/server/internal/record"
)

// Source is where keys are.
type Source interface {
	// Read returns the text of the keys, and a version that changes with it. The text is empty if
	// there are no keys.
	Read(ctx context.Context) (text []byte, version string, err error)
	// Change replaces the text by the result of change, which must be valid. If change returns an
	// error nothing changes.
	Change(ctx context.Context, change func(text []byte) ([]byte, error)) error
}

// Keys parses a text. An empty text has no keys.
func Keys(text []byte) (*clientkey.Keys, error) {
	if isEmpty(text) {
		return &clientkey.Keys{}, nil
	}
	return clientkey.Read(text)
}

// InFile returns the source of a file.
func InFile(path string) Source { return file(path) }

type file string

func (f file) Read(context.Context) ([]byte, string, error) {
	data, err := os.ReadFile(string(f))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, "", nil
	}
	if err != nil {
		return nil, "", fmt.Errorf("keyfile: %w", err)
	}
	return data, string(data), nil
}

// Change writes a new file next to the old one and renames it, so that a reader finds either of
// them whole.
func (f file) Change(ctx context.Context, change func([]byte) ([]byte, error)) error {
	path, err := filepath.EvalSymlinks(string(f))
	if err != nil {
		path = string(f)
	}
	unlock, err := lock(ctx, path+".lock")
	if err != nil {
		return err
	}
	defer unlock()
	text, _, err := file(path).Read(ctx)
	if err != nil {
		return err
	}
	next, err := changed(text, change)
	if err != nil {
		return err
	}
	mode := fs.FileMode(0o600)
	if info, err := os.Stat(path); err == nil {
		mode = info.Mode().Perm()
	}
	written, err := os.CreateTemp(filepath.Dir(path), ".gemwire-keys-*.tmp")
	if err != nil {
		return fmt.Errorf("keyfile: %w", err)
	}
	defer os.Remove(written.Name()) // unless it was renamed
	_, err = written.Write(next)
	err = errors.Join(err, written.Chmod(mode), written.Sync(), written.Close())
	if err == nil {
		err = os.Rename(written.Name(), path)
	}
	if err != nil {
		return fmt.Errorf("keyfile: write %s: %w", path, err)
	}
	return nil
}

// changed returns the changed text if it is valid.
func changed(text []byte, change func([]byte) ([]byte, error)) ([]byte, error) {
	next, err := change(bytes.Clone(text))
	if err != nil {
		return nil, err
	}
	if _, err := Keys(next); err != nil {
		return nil, err
	}
	return next, nil
}

// InStore returns the source in a store.
func InStore(e *engine.Engine) Source {
	return &stored{record.NewTable[document](e.Keys, "keys")}
}

type stored struct{ table *record.Table[document] }

// document is the text in a store.
type document struct {
	Text string `json:"text"`
}

// documentID is the id of the only document.
const documentID = "all"

func (s *stored) Read(ctx context.Context) ([]byte, string, error) {
	found, revision, err := s.table.Get(ctx, documentID)
	if errors.Is(err, record.ErrNotFound) {
		return nil, "", nil
	}
	if err != nil {
		return nil, "", fmt.Errorf("keyfile: %w", err)
	}
	return []byte(found.Text), strconv.FormatUint(revision, 10), nil
}

func (s *stored) Change(ctx context.Context, change func([]byte) ([]byte, error)) error {
	if err := s.table.Create(ctx, documentID, &document{}); err != nil &&
		!errors.Is(err, record.ErrExists) {
		return fmt.Errorf("keyfile: %w", err)
	}
	_, err := s.table.Change(ctx, documentID, func(d *document) error {
		next, err := changed([]byte(d.Text), change)
		d.Text = string(next)
		return err
	})
	return err
}
