package engine

import (
	"crypto/pbkdf2"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// keyFile is the file in a directory with a salt and a hash of the directory's key, from which the
// key cannot be found. A directory that is not encrypted has no such file.
const keyFile = "key"

// KeyError is returned for a directory that cannot be opened with a key.
type KeyError struct {
	// Directory is the directory of the store.
	Directory string
	// IsMissing reports that no key was given, and the directory is encrypted.
	IsMissing bool
	// IsPlain reports that a key was given, and the directory is not encrypted. The server would
	// encrypt some of it, and lose the rest.
	IsPlain bool
}

// Error names the directory.
func (e *KeyError) Error() string {
	switch {
	case e.IsMissing:
		return "store: the store in " + e.Directory + " is encrypted; give its key (store_key_file)"
	case e.IsPlain:
		return "store: the store in " + e.Directory + " was made without a key and is not encrypted; " +
			"remove store_key_file, or use a new folder"
	}
	return "store: the store in " + e.Directory + " is encrypted with another key (store_key_file)"
}

// checkKey returns a *KeyError unless the directory can be opened with a key.
func checkKey(directory, key string) error {
	path := filepath.Join(directory, keyFile)
	data, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if key != "" && len(streamFolders(directory)) > 0 {
			return &KeyError{Directory: directory, IsPlain: true}
		}
		return nil
	case err != nil:
		return fmt.Errorf("store: read the store: %w", err)
	case key == "":
		return &KeyError{Directory: directory, IsMissing: true}
	}
	text, _, _ := strings.Cut(string(data), " ")
	salt, err := hex.DecodeString(text)
	if err != nil || len(salt) == 0 {
		return fmt.Errorf("%w: the file %s", ErrDamaged, path)
	}
	want, err := keyLine(key, salt)
	if err != nil {
		return err
	}
	if subtle.ConstantTimeCompare([]byte(want), data) != 1 {
		return &KeyError{Directory: directory}
	}
	return nil
}

// noteKey writes the file for the key of a new directory. It must be called before the server makes
// anything in the directory.
func noteKey(directory, key string) error {
	path := filepath.Join(directory, keyFile)
	if _, err := os.Stat(path); err == nil || key == "" {
		return nil
	}
	salt := make([]byte, 16)
	_, _ = rand.Read(salt) // which never fails
	line, err := keyLine(key, salt)
	if err == nil {
		err = os.WriteFile(path, []byte(line), 0o600)
	}
	if err != nil {
		return fmt.Errorf("store: write the store: %w", err)
	}
	return nil
}

// keyLine returns the content of the file.
func keyLine(key string, salt []byte) (string, error) {
	const rounds = 20_000
	hash, err := pbkdf2.Key(sha256.New, key, salt, rounds, sha256.Size)
	if err != nil {
		return "", fmt.Errorf("store: hash the key of the store: %w", err)
	}
	return hex.EncodeToString(salt) + " " + hex.EncodeToString(hash), nil
}
