package mediafetch

import (
	"net/netip"
	"testing"
)

func TestOnlyThePublicInternetIsReached(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]bool{
		"8.8.8.8:443":                    true,
		"8.8.8.8:80":                     true,
		"8.8.8.8:22":                     false,
		"8.8.8.8:8080":                   false,
		"[2606:4700::1111]:443":          true,
		"[::ffff:8.8.8.8]:443":           true,
		"127.0.0.1:80":                   false,
		"127.9.9.9:80":                   false,
		"10.0.0.1:443":                   false,
		"172.16.0.1:443":                 false,
		"172.32.0.1:443":                 true,
		"192.168.1.1:443":                false,
		"169.254.169.254:80":             false,
		"100.100.100.200:80":             false,
		"0.0.0.0:80":                     false,
		"0.1.2.3:80":                     false,
		"192.0.0.192:80":                 false,
		"198.18.0.1:80":                  false,
		"203.0.113.9:80":                 false,
		"224.0.0.1:80":                   false,
		"240.0.0.1:80":                   false,
		"255.255.255.255:80":             false,
		"[::1]:80":                       false,
		"[::]:80":                        false,
		"[::ffff:127.0.0.1]:80":          false,
		"[::ffff:10.0.0.1]:443":          false,
		"[::127.0.0.1]:80":               false,
		"[64:ff9b::a9fe:a9fe]:80":        false,
		"[2002:7f00:1::]:80":             false,
		"[2001:0:7f00:1::]:80":           false,
		"[2001:db8::1]:80":               false,
		"[fc00::1]:80":                   false,
		"[fd00:ec2::254]:80":             false,
		"[fe80::1]:80":                   false,
		"[fe80::1%eth0]:80":              false,
		"[fec0::1]:80":                   false,
		"[ff02::1]:80":                   false,
		"[2606:4700::1111%eth0]:443":     false,
		"[3fff::1]:443":                  false,
		"[5f00::1]:443":                  false,
		"[100::1]:443":                   false,
		"[2a00:1450:4001:82f::200e]:443": true,
	} {
		if got := (guard{}).allows(netip.MustParseAddrPort(address)); got != want {
			t.Errorf("%s: %t", address, got)
		}
	}
}

func TestAllowedNetworksAreReachedOnAnyPort(t *testing.T) {
	t.Parallel()
	g := guard{allowed: []netip.Prefix{netip.MustParsePrefix("10.1.0.0/16")}}
	for address, want := range map[string]bool{"10.1.2.3:9000": true,
		"[::ffff:10.1.2.3]:9000": true, "10.2.0.1:80": false} {
		if got := g.allows(netip.MustParseAddrPort(address)); got != want {
			t.Errorf("%s: %t", address, got)
		}
	}
}

func TestAnInvalidAddressIsNotReached(t *testing.T) {
	t.Parallel()
	if err := (guard{}).control("tcp", "example.com:443", nil); err != ErrForbiddenAddress {
		t.Errorf("got %v", err)
	}
}
