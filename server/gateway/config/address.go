package config

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/internal/loopback"
)

// listening is a setting with an address to listen on.
type listening struct{ setting, addr string }

// checkAddresses checks each address, and that no two listeners have the same one.
func (c *Config) checkAddresses() []error {
	var out []error
	var used []listening
	for _, l := range []struct {
		listening
		isUsed bool
	}{
		{listening{"addr", c.Addr}, true},
		{listening{"inspect_addr", c.InspectAddr}, c.Inspect},
		{listening{"metrics_addr", c.MetricsAddr}, c.Metrics && c.MetricsAddr != ""},
	} {
		if !isAddress(l.addr) {
			if l.addr != "" || l.isUsed {
				out = append(out, c.wrong(fmt.Sprintf("%q is not an address; want %s", l.addr,
					wantAddress), l.setting))
			}
			continue
		}
		if !l.isUsed {
			continue
		}
		for _, other := range used {
			if overlaps(l.addr, other.addr) {
				out = append(out, c.wrong(sameAddress(l.addr, other), l.setting))
			}
		}
		used = append(used, l.listening)
	}
	return out
}

// sameAddress says that an address belongs to another listener, too.
func sameAddress(addr string, other listening) string {
	if addr == other.addr {
		return addr + " is also the address of " + other.setting + "; choose another port"
	}
	return addr + " is also the address of " + other.setting + ", which is " + other.addr +
		"; choose another port"
}

// isAddress reports whether an address has a host, which may be empty, and a port, which may be the
// name of a service. The port 0 selects a free port.
func isAddress(addr string) bool {
	_, _, ok := splitAddress(addr)
	return ok
}

// splitAddress returns the host and the port of an address.
func splitAddress(addr string) (host string, port int, ok bool) {
	host, name, err := net.SplitHostPort(addr)
	if err != nil || name == "" {
		return "", 0, false
	}
	if port, err = strconv.Atoi(name); err == nil {
		return host, port, port >= 0 && port <= 0xffff
	}
	port, err = net.DefaultResolver.LookupPort(context.Background(), "tcp", name) // in a file
	return host, port, err == nil
}

// overlaps reports whether two listeners cannot have their addresses at the same time. An address
// without a host is on all interfaces.
func overlaps(a, b string) bool {
	hostA, portA, okA := splitAddress(a)
	hostB, portB, okB := splitAddress(b)
	if !okA || !okB || portA != portB || portA == 0 {
		return false
	}
	hostA, hostB = canonicalHost(hostA), canonicalHost(hostB)
	return hostA == hostB || hostA == allInterfaces || hostB == allInterfaces ||
		isOfLocalhost(hostA, hostB) || isOfLocalhost(hostB, hostA)
}

// allInterfaces is the canonical host of listeners on all interfaces.
const allInterfaces = ""

// canonicalHost returns one spelling for all spellings of a host.
func canonicalHost(host string) string {
	if addr, err := netip.ParseAddr(host); err == nil {
		if addr = addr.Unmap(); addr.IsUnspecified() {
			return allInterfaces
		}
		return addr.String()
	}
	return strings.ToLower(strings.TrimSuffix(host, "."))
}

// isOfLocalhost reports whether a host is a name of this machine, and the other one of its two
// addresses. Which of them the name gets depends on the machine.
func isOfLocalhost(name, other string) bool {
	_, err := netip.ParseAddr(name)
	return err != nil && loopback.IsHost(name) && (other == "127.0.0.1" || other == "::1")
}

// isLocal reports whether an address is reachable from this machine only. An address without a host
// listens on all interfaces.
func isLocal(addr string) bool {
	host, _, err := net.SplitHostPort(addr)
	return err == nil && host != "" && loopback.IsHost(host)
}
