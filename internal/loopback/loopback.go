// Package loopback reports whether a host is this machine. Only to this machine may a key be sent
// over plain HTTP.
package loopback

import (
	"net"
	"net/netip"
	"strings"
)

// IsHost reports whether a host without a port is this machine, for example "127.0.0.1", "::1" or
// "localhost". This includes all loopback addresses. It also includes "localhost" and names that
// end in ".localhost", which RFC 6761 (6.3) reserves, with or without a dot at the end.
func IsHost(host string) bool {
	if addr, err := netip.ParseAddr(host); err == nil {
		return addr.Unmap().IsLoopback()
	}
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	return host == "localhost" || strings.HasSuffix(host, ".localhost")
}

// HostName returns the name in a Host header in lower case, without the port and without a dot at
// the end. It returns an address unchanged, with its brackets if it has no port.
func HostName(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return strings.ToLower(strings.TrimSuffix(host, "."))
}

// IsAddress is like IsHost for an address with or without a port, such as "localhost:8080" or
// "[::1]".
func IsAddress(address string) bool {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		host = strings.TrimSuffix(strings.TrimPrefix(address, "["), "]")
	}
	return IsHost(host)
}
