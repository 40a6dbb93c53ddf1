package config

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"strconv"

	"github.com/gemwire/gemwire/internal/document"
)

// checkFile checks file-only settings and enumerated values, so that an error names the line.
func (c *Config) checkFile(path string, lines document.Lines) error {
	for i, account := range c.Accounts {
		if name, err := account.check(); err != nil {
			return lineError(path, lines.Error(fmt.Sprintf("/accounts/%d%s", i, name), err.Error()))
		}
	}
	for _, s := range settings {
		if s.value == nil {
			continue
		}
		if err := checkRange(s.value(c)); err != nil {
			return lineError(path, lines.Error("/"+s.Name, err.Error()))
		}
	}
	return nil
}

// checkRange checks a value that was not parsed from a text.
func checkRange(value Value) error {
	switch v := value.(type) {
	case word:
		if *v.at != "" {
			return v.Set(*v.at)
		}
	case *number:
		return v.Set(strconv.Itoa(int(*v)))
	case *repeats:
		return v.Set(v.String())
	}
	return nil
}

// reference is the syntax by which a file refers to an environment variable.
var reference = regexp.MustCompile(`^\$\{([A-Za-z_][A-Za-z0-9_]*)\}$`)

var (
	errLiteralKey = errors.New("a settings file must not contain a key; name a variable with it, as ${GEMINI_API_KEY}, or use key_file")
	errTwoKeys    = errors.New("want one of key and key_file")
)

func (a Account) check() (name string, err error) {
	switch {
	case a.Key != "" && !reference.MatchString(a.Key):
		return "/key", errLiteralKey // which does not quote it
	case a.Key != "" && a.KeyFile != "":
		return "/key", errTwoKeys
	default:
		return "", nil
	}
}

// check checks the settings against each other.
func (c *Config) check() []error {
	out := c.checkAddresses()
	if c.Inspect && isAddress(c.InspectAddr) && !isLocal(c.InspectAddr) {
		out = append(out, c.wrong(c.InspectAddr+
			" is open to other machines, but the inspector shows what users write; use an address such as 127.0.0.1:8081",
			"inspect_addr"))
	}
	for _, limit := range []struct {
		name        string
		size, least Size
	}{
		{"inspect_max_memory", c.InspectMaxMemory, 1 << 20},
		{"inspect_max_body", c.InspectMaxBody, 1 << 10},
		{"inspect_max_string", c.InspectMaxString, 64},
	} {
		if limit.size != 0 && limit.size < limit.least {
			out = append(out, c.wrong(fmt.Sprintf("%s is too small; want at least %s",
				limit.size.String(), limit.least.String()), limit.name))
		}
	}
	out = append(out, c.checkStore()...)
	switch {
	case c.Vertex != "" && c.APIKeyFile != "":
		out = append(out, c.wrong(
			"a Vertex AI project takes no API key; remove api_key_file, or use upstream vertex-express",
			"vertex"))
	case len(c.Accounts) > 0 && cmp.Or(c.Vertex, c.APIKeyFile) != "":
		out = append(out, c.wrong("use either accounts, or one of vertex and api_key_file",
			"accounts"))
	}
	out = append(out, c.checkSpending()...)
	if err := c.CheckAt(c.Addr); err != nil && isAddress(c.Addr) {
		out = append(out, err)
	}
	return out
}

// CheckAt returns an error if a gateway that listens at the address must not use the settings: an
// address that other machines can reach requires keys. [Load] has checked this for the configured
// address. A process that reloads its settings keeps its original address.
func (c *Config) CheckAt(addr string) error {
	if isLocal(addr) || c.KeyFile != "" || c.CallersKey {
		return nil
	}
	return c.wrong(addr+" is open to other machines, which could spend your quota; "+
		"set key_file for client keys, set callers_key for callers' own keys, or listen on 127.0.0.1",
		"addr")
}

// IsOpen reports whether other machines can reach the gateway.
func (c *Config) IsOpen() bool { return !isLocal(c.Addr) }
