package loopback_test

import (
	"net"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/internal/loopback"
)

func TestLoopbackHostsAreThisMachine(t *testing.T) {
	t.Parallel()
	for host, want := range map[string]bool{
		"127.0.0.1":             true,
		"127.255.0.3":           true,
		"::1":                   true,
		"::ffff:127.0.0.1":      true,
		"localhost":             true,
		"LocalHost":             true,
		"localhost.":            true,
		"x.localhost":           true,
		"x.localhost.":          true,
		"":                      false,
		".":                     false,
		"0.0.0.0":               false,
		"10.0.0.1":              false,
		"::":                    false,
		"fe80::1":               false,
		"notlocalhost":          false,
		"localhost.example":     false,
		"127.0.0.1.example":     false,
		"localhost..":           false,
		"generativelanguage.eu": false,
	} {
		if got := loopback.IsHost(host); got != want {
			t.Errorf("IsHost(%q) is %v", host, got)
		}
		withPort := net.JoinHostPort(host, "8080")
		if got := loopback.IsAddress(withPort); got != want {
			t.Errorf("IsAddress(%q) is %v", withPort, got)
		}
		bare := strings.TrimSuffix(withPort, ":8080")
		if got := loopback.IsAddress(bare); got != want {
			t.Errorf("IsAddress(%q) is %v", bare, got)
		}
	}
}

func TestNameOfAHost(t *testing.T) {
	t.Parallel()
	for host, want := range map[string]string{
		"Example.Com:8080": "example.com", "example.com.": "example.com",
		"example.com.:1": "example.com", "[::1]:80": "::1", "[::1]": "[::1]", "": "",
	} {
		if got := loopback.HostName(host); got != want {
			t.Errorf("%q is %q, expected %q", host, got, want)
		}
	}
}
