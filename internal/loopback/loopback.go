// Package loopback reports whether a host is this machine, to which a key may be sent by plain
// http.
package loopback

import (
	"net"
	"net/netip"
	"strings"
)

// IsHost reports whether a host without a port, such as "127.0.0.1", "::1" or "localhost", is this
// machine: a loopback address, or a name that RFC 6761 (6.3) reserves for it, "localhost" and those
// that end in ".localhost", with the dot of the root or without.
func IsHost(host string) bool {
	if addr, err := netip.ParseAddr(host); err == nil {
		return addr.Unmap().IsLoopback()
	}
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	return host == "localhost" || strings.HasSuffix(host, ".localhost")
}

// HostName returns the name in a Host header, in lower case, without a port and the dot of the
// root; of an address, as it is written, with its brackets if there is no port.
func HostName(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return strings.ToLower(strings.TrimSuffix(host, "."))
}

// IsAddress reports the same for an address with a port or without, such as "localhost:8080" or
// "[::1]".
func IsAddress(address string) bool {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		host = strings.TrimSuffix(strings.TrimPrefix(address, "["), "]")
	}
	return IsHost(host)
}
