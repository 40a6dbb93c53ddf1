package config

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"regexp"
	"strings"

	"github.com/gemwire/gemwire/internal/document"
	"github.com/gemwire/gemwire/internal/loopback"
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
		value, isWord := s.value(c).(word)
		if !isWord || *value.at == "" {
			continue
		}
		if err := value.Set(*value.at); err != nil {
			return lineError(path, lines.Error("/"+s.Name, err.Error()))
		}
	}
	for name, n := range map[string]int{
		"max_attempts": c.MaxAttempts, "max_concurrent": c.MaxConcurrent,
		"signature_length":     c.SignatureLength,
		"response_store_count": c.ResponseStoreCount, "bulk_concurrency": c.BulkConcurrency,
		"bulk_limit_requests":      c.BulkLimitRequests,
		"bulk_limit_tokens":        c.BulkLimitTokens,
		"bulk_limit_output_tokens": c.BulkLimitOutputTokens,
	} {
		if n < 0 {
			return lineError(path, lines.Error("/"+name, "the number must not be negative"))
		}
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
func (c *Config) check() error {
	wrong := func(setting,
		reason string) error {
		return &Error{Where: setting, Setting: setting, reason: reason}
	}
	for name, addr := range map[string]string{"addr": c.Addr, "inspect_addr": c.InspectAddr,
		"metrics_addr": c.MetricsAddr} {
		if _, _, err := net.SplitHostPort(addr); err != nil && (addr != "" || name == "addr") {
			return wrong(name, fmt.Sprintf("%q is not a host and port; want one such as %s", addr, DefaultAddr))
		}
	}
	for _, pair := range []struct {
		isUsed     bool
		name, addr string
	}{{c.Inspect, "inspect_addr", c.InspectAddr}, {c.Metrics, "metrics_addr", c.MetricsAddr}} {
		if pair.isUsed && pair.addr == c.Addr && !strings.HasSuffix(pair.addr, ":0") {
			return wrong(pair.name, pair.addr+" is also the address of addr; choose another port")
		}
	}
	switch {
	case c.Inspect && !isLocal(c.InspectAddr):
		return wrong("inspect_addr",
			c.InspectAddr+
				" is open to other machines, but the inspector shows what users write; use an address such as 127.0.0.1:8081")
	case c.Vertex != "" && c.APIKeyFile != "":
		return wrong("vertex",
			"a Vertex AI project takes no API key; remove api_key_file, or use upstream vertex-express")
	case len(c.Accounts) > 0 && cmp.Or(c.Vertex, c.APIKeyFile) != "":
		return wrong("accounts", "use either accounts, or one of vertex and api_key_file")
	}
	return c.CheckAt(c.Addr)
}

// CheckAt returns an error if a gateway that listens at the address must not use the settings: an
// address that other machines can reach requires keys. [Load] has checked this for the configured
// address. A process that reloads its settings keeps its original address.
func (c *Config) CheckAt(addr string) error {
	if isLocal(addr) || c.KeyFile != "" || c.CallersKey {
		return nil
	}
	return &Error{Where: "addr", Setting: "addr",
		reason: addr + " is open to other machines, which could spend your quota; " +
			"set key_file for client keys, set callers_key for callers' own keys, or listen on 127.0.0.1"}
}

// IsOpen reports whether other machines can reach the gateway.
func (c *Config) IsOpen() bool { return !isLocal(c.Addr) }

// isLocal reports whether an address is reachable from this machine only. An address without a host
// listens on all interfaces.
func isLocal(addr string) bool {
	host, _, err := net.SplitHostPort(addr)
	return err == nil && host != "" && loopback.IsHost(host)
}
