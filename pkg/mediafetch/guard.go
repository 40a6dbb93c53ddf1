package mediafetch

import (
	"errors"
	"net/netip"
	"slices"
	"syscall"
)

// ErrForbiddenAddress is wrapped by the error for an address that is not on the public internet,
// such as 127.0.0.1.
var ErrForbiddenAddress = errors.New("the address is not on the public internet")

// publicPorts are the allowed ports.
var publicPorts = []uint16{80, 443}

// reserved are networks outside the public internet that [netip.Addr] has no method for. They come
// from IANA's registries of special-purpose addresses. Networks that embed an IPv4 address are
// blocked as a whole, because a gateway may lead from them into any network.
var reserved = parsePrefixes(
	"0.0.0.0/8",       // this network
	"100.64.0.0/10",   // shared by carriers, and by some clouds for their metadata
	"192.0.0.0/24",    // protocol assignments
	"192.0.2.0/24",    // documentation
	"192.88.99.0/24",  // relays to IPv6
	"198.18.0.0/15",   // benchmarks
	"198.51.100.0/24", // documentation
	"203.0.113.0/24",  // documentation
	"240.0.0.0/4",     // for future use, and broadcast
	"::/96",           // embeds IPv4
	"64:ff9b::/96",    // translates to IPv4
	"64:ff9b:1::/48",  // translates to IPv4, locally
	"100::/64",        // discards
	"2001::/23",       // protocol assignments, Teredo among them
	"2001:db8::/32",   // documentation
	"2002::/16",       // embeds IPv4
	"3fff::/20",       // documentation
	"5f00::/16",       // segment routing
	"fec0::/10",       // site-local, long given up
)

func parsePrefixes(texts ...string) []netip.Prefix {
	out := make([]netip.Prefix, len(texts))
	for i, text := range texts {
		out[i] = netip.MustParsePrefix(text)
	}
	return out
}

// guard decides which addresses may be connected to.
type guard struct{ allowed []netip.Prefix }

// control is called with each resolved address before a connection.
func (g guard) control(_, address string, _ syscall.RawConn) error {
	to, err := netip.ParseAddrPort(address)
	if err != nil || !g.allows(to) {
		return ErrForbiddenAddress
	}
	return nil
}

func (g guard) allows(to netip.AddrPort) bool {
	addr := to.Addr().Unmap()
	if contains(g.allowed, addr) {
		return true
	}
	return slices.Contains(publicPorts, to.Port()) && isPublic(addr)
}

// isPublic reports whether an address belongs to the public internet.
func isPublic(addr netip.Addr) bool {
	return addr.IsGlobalUnicast() && !addr.IsPrivate() && addr.Zone() == "" &&
		!contains(reserved, addr)
}

func contains(networks []netip.Prefix, addr netip.Addr) bool {
	return slices.ContainsFunc(networks, func(n netip.Prefix) bool { return n.Contains(addr) })
}
