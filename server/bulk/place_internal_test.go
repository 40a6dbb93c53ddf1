package bulk

import (
	"path/filepath"
	"testing"
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
