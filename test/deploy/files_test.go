package deploy_test

import (
	"os"
	"path/filepath"
	"testing"
)

// project is the root of the repository.
const project = "../.."

// path returns where a file of the repository is, absolute.
func path(t testing.TB, name string) string {
	t.Helper()
	absolute, err := filepath.Abs(filepath.Join(project, name))
	if err != nil {
		t.Fatal(err)
	}
	return absolute
}

// read returns a file of the repository.
func read(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(path(t, name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// write writes a file of a test, and makes the folders for it. Use install for a file that is
// executed.
func write(t testing.TB, name string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, data, 0o644); err != nil {
		t.Fatal(err)
	}
}
