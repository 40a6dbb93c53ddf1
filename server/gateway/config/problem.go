package config

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/gemwire/gemwire/internal/clock"
	"github.com/gemwire/gemwire/pkg/gemini/models"
	"github.com/gemwire/gemwire/server/gateway"
	"github.com/gemwire/gemwire/server/internal/modelname"
)

// Problems returns probable mistakes that do not stop a gateway from starting: cycles of aliases,
// models that were shut down, misspelt models, and folders that do not exist. Each is an [*Error].
func (c *Config) Problems() []error {
	out := append(c.aliasCycles(), c.missingModels(clock.Now())...)
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

// missingModels returns an error for each model that the service does not offer at a time: it was
// shut down, or its name is a slip. An unknown name without a similar one may be a new or a tuned
// model, so it is no error.
func (c *Config) missingModels(now time.Time) []error {
	service, title := models.GeminiAPI, "the Gemini API"
	switch c.Service() {
	case gateway.OpenAI:
		return nil
	case gateway.VertexAI, gateway.VertexAIExpress:
		service, title = models.VertexAI, "Vertex AI"
	}
	offered := modelname.Offered(service, now)
	names := slices.Concat(slices.Sorted(maps.Keys(c.Alias)), offered)
	var out []error
	check := func(setting, prefix, name string) {
		advice := modelname.ShutDown(name, service, now)
		if advice == "" && !isNewVersion(name, offered) {
			advice = modelname.Advice(name, service, now, names)
		}
		if _, isAlias := c.Alias[name]; isAlias || advice == "" {
			return
		}
		out = append(out, &Error{Where: setting, Setting: setting,
			reason: fmt.Sprintf("%s%q is not offered by %s%s", prefix, name, title, advice)})
	}
	check("model", "", c.Model)
	for alias, name := range c.Alias {
		check("alias", alias+": ", name)
	}
	for first, others := range c.Fallback {
		for _, name := range append([]string{first}, others...) {
			check("fallback", first+": ", name)
		}
	}
	return out
}

// isNewVersion reports whether a name differs from an offered one only in digits, as a model does
// that is newer than the table of models.
func isNewVersion(name string, offered []string) bool {
	withoutDigits := func(text string) string {
		return strings.Map(func(r rune) rune {
			if unicode.IsDigit(r) {
				return -1
			}
			return r
		}, text)
	}
	return slices.ContainsFunc(offered, func(known string) bool {
		return withoutDigits(known) == withoutDigits(name)
	})
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
