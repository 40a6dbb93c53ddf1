package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Problems returns probable mistakes that do not stop a gateway from starting: cycles of aliases,
// and folders that do not exist. Each is an [*Error].
func (c *Config) Problems() []error {
	out := c.aliasCycles()
	for setting, path := range map[string]string{"response_store": c.ResponseStore,
		"bulk_store": c.BulkStore} {
		if path == "" || path == inMemory || strings.Contains(path, "://") {
			continue
		}
		folder := filepath.Dir(path) // gemwire creates the file, or the last folder
		if _, err := os.Stat(folder); errors.Is(err, fs.ErrNotExist) {
			out = append(out,
				&Error{Where: setting, Setting: setting,
					reason: fmt.Sprintf("the folder %s does not exist", folder)})
		}
	}
	slices.SortFunc(out, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
	return out
}

// aliasCycles returns an error for each cycle of aliases, at its first name.
func (c *Config) aliasCycles() []error {
	var out []error
	for first := range c.Alias {
		names := []string{first}
		for name := c.Alias[first]; name != first; name = c.Alias[name] {
			if c.Alias[name] == "" || slices.Contains(names, name) {
				names = nil // it leads to a model, or to the circle of others
				break
			}
			names = append(names, name)
		}
		if len(names) > 1 && slices.Min(names) == first {
			out = append(out, &Error{
				Where: "alias", Setting: "alias",
				reason: "aliases form a cycle: " +
					strings.Join(append(names, first), " → "),
			})
		}
	}
	return out
}
