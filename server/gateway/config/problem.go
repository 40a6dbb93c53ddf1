package config

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
	"unicode"

	"github.com/gemwire/gemwire/internal/clock"
	"github.com/gemwire/gemwire/pkg/gemini/models"
	"github.com/gemwire/gemwire/server/gateway"
	"github.com/gemwire/gemwire/server/internal/modelname"
)

// Problems returns probable mistakes that do not stop a gateway from starting: aliases and
// fallbacks that never reach their model, models that were shut down, misspelt models, and files
// and folders that do not exist. Each is an [*Error].
func (c *Config) Problems() []error {
	out := slices.Concat(c.aliasCycles(), c.namesInPlaceOfModels(), c.repeatedFallbacks(),
		c.missingModels(clock.Now()), c.wrongFiles())
	slices.SortFunc(out, func(a, b *Error) int {
		return cmp.Or(cmp.Compare(a.line, b.line), strings.Compare(a.Error(), b.Error()))
	})
	problems := make([]error, len(out))
	for i, e := range out {
		problems[i] = e
	}
	return problems
}

// missingModels returns an error for each model that the service does not offer at a time: it was
// shut down, or its name is a slip. An unknown name without a similar one may be a new or a tuned
// model, so it is no error.
func (c *Config) missingModels(now time.Time) []*Error {
	if c.Service() == gateway.OpenAI {
		return nil
	}
	service, title := c.googleService()
	offered := modelname.Offered(service, now)
	aliases := slices.DeleteFunc(slices.Sorted(maps.Keys(c.Alias)),
		func(name string) bool { return strings.Contains(name, "*") }) // which is a pattern
	names := slices.Concat(aliases, modelname.Suggested(service, now))
	var out []*Error
	check := func(name string, at ...string) {
		advice := modelname.ShutDown(name, service, now)
		if advice == "" && !isNewVersion(name, offered) && !c.isOffered(name) {
			advice = modelname.Advice(name, service, now, names)
		}
		if _, isAlias := c.Alias[name]; isAlias || advice == "" {
			return
		}
		out = append(out, c.wrong(fmt.Sprintf("%s%q is not offered by %s%s", entry(at), name, title,
			advice), at...))
	}
	check(c.Model, "model")
	for alias, name := range c.Alias {
		check(name, "alias", alias)
	}
	for first, others := range c.Fallback {
		for _, name := range append([]string{first}, others...) {
			check(name, "fallback", first)
		}
	}
	return out
}

// entry begins a message about an entry of a table. It is "" for a setting that is no table.
func entry(at []string) string {
	if len(at) < 2 {
		return ""
	}
	return at[1] + ": "
}

// googleService returns the service of Google that answers, and its name.
func (c *Config) googleService() (service models.Backends, title string) {
	switch c.Service() {
	case gateway.VertexAI, gateway.VertexAIExpress:
		return models.VertexAI, "Vertex AI"
	default:
		return models.GeminiAPI, "the Gemini API"
	}
}

// isOffered reports whether the service is known to offer a model.
func (c *Config) isOffered(name string) bool {
	service, _ := c.googleService()
	known := models.At(name, service, clock.Now())
	return c.Service() != gateway.OpenAI && known.IsKnown() &&
		modelname.IsOffered(&known, clock.Now())
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
func (c *Config) aliasCycles() []*Error {
	var out []*Error
	for first := range c.Alias {
		if c.Alias[first] == first {
			out = append(out, c.wrong(fmt.Sprintf("%s%q is an alias of itself; name its model, "+
				"or remove the alias", entry([]string{"alias", first}), first), "alias", first))
			continue
		}
		names := []string{first}
		for name := c.Alias[first]; name != first; name = c.Alias[name] {
			if c.Alias[name] == "" || slices.Contains(names, name) {
				names = nil // it leads to a model, or to the circle of others
				break
			}
			names = append(names, name)
		}
		if len(names) > 1 && slices.Min(names) == first {
			out = append(out, c.wrong("aliases form a cycle: "+
				strings.Join(append(names, first), " → "), "alias", first))
		}
	}
	return out
}

// namesInPlaceOfModels returns an error for each alias that stands where only a model has an
// effect. The gateway follows one alias, from the name that a client requests, and sends the result
// to the upstream. Aliases in a cycle have an error of their own. An alias may hide a model of the
// same name.
func (c *Config) namesInPlaceOfModels() []*Error {
	var out []*Error
	check := func(name string, at ...string) {
		model := c.modelOf(name)
		if model == "" || model == name || c.isOffered(name) {
			return
		}
		out = append(out, c.wrong(fmt.Sprintf("%s%q is an alias; name its model, %q",
			entry(at), name, model), at...))
	}
	for alias, name := range c.Alias {
		check(name, "alias", alias)
	}
	for first, others := range c.Fallback {
		for _, name := range append([]string{first}, others...) {
			check(name, "fallback", first)
		}
	}
	return out
}

// modelOf returns the model that a name stands for in the end: itself if it is not an alias, and ""
// if it leads into a cycle.
func (c *Config) modelOf(name string) string {
	for range len(c.Alias) + 1 {
		next, isAlias := c.Alias[name]
		if !isAlias {
			return name
		}
		name = next
	}
	return ""
}

// repeatedFallbacks returns an error for each list of fallbacks that names a model again. Two
// models may be fallbacks of each other, because the gateway does not use the fallbacks of a
// fallback.
func (c *Config) repeatedFallbacks() []*Error {
	var out []*Error
	for first, others := range c.Fallback {
		seen := []string{first}
		for _, name := range others {
			reason := ""
			switch {
			case name == first:
				reason = "is a fallback of itself"
			case slices.Contains(seen, name):
				reason = "is in the list twice"
			}
			if reason != "" {
				out = append(out, c.wrong(fmt.Sprintf("%s%q %s; each model is asked once",
					entry([]string{"fallback", first}), name, reason), "fallback", first))
			}
			seen = append(seen, name)
		}
	}
	return out
}

// wrongFiles returns an error for each file or folder that is missing, or is not what the setting
// needs. gemwire itself makes the file of a store and the last folder of its path.
func (c *Config) wrongFiles() []*Error {
	var out []*Error
	for _, s := range []struct {
		setting, path           string
		isStore, isFolderNeeded bool
	}{
		{"api_key_file", c.APIKeyFile, false, false},
		{"key_file", c.KeyFile, false, false},
		{"rate_card", c.RateCard, false, false},
		{"compaction_prompt", c.CompactionPrompt, false, false},
		{"store", c.Store, true, true},
		{"store_key_file", c.StoreKeyFile, false, false},
		{"inspect_store", c.InspectStore, true, true},
	} {
		if s.path == "" || s.isStore && (s.path == inMemory || isOnServers(s.path)) {
			continue
		}
		if reason := wrongFile(s.path, s.isStore, s.isFolderNeeded); reason != "" {
			out = append(out, c.wrong(reason, s.setting))
		}
	}
	if _, err := c.compactionPrompt(); errors.Is(err, errNotText) {
		out = append(out, c.wrong(c.CompactionPrompt+" "+errNotText.Error(), "compaction_prompt"))
	}
	return out
}

// wrongFile returns what is wrong with a path, or "".
func wrongFile(path string, mayBeMissing, isFolderNeeded bool) string {
	found, err := os.Stat(path)
	switch {
	case err == nil && found.IsDir() && !isFolderNeeded:
		return path + " is a folder; want a file"
	case err == nil && !found.IsDir() && isFolderNeeded:
		return path + " is a file; want a folder"
	case err == nil:
		return ""
	case !mayBeMissing && errors.Is(err, fs.ErrNotExist):
		return "the file " + path + " does not exist"
	case !mayBeMissing:
		return ""
	}
	folder := filepath.Dir(path)
	switch found, err := os.Stat(folder); {
	case errors.Is(err, fs.ErrNotExist):
		return "the folder " + folder + " does not exist"
	case err == nil && !found.IsDir(), errors.Is(err, syscall.ENOTDIR):
		return folder + " is not a folder"
	default:
		return ""
	}
}
