package websearch

import (
	"strings"
)

// blocklist is the set of hosts whose pages are excluded.
type blocklist map[string]bool

func newBlocklist(domains []string) blocklist {
	list := blocklist{}
	for _, domain := range domains {
		if host := hostOf(domain); host != "" {
			list[host] = true
		}
	}
	return list
}

// contains reports whether the host of an address is blocked.
func (l blocklist) contains(address string) bool { return l[hostOf(address)] }

// hostOf returns the host of an address, in lower case, without user, port and trailing dot. An
// address without a scheme counts as a host with an optional path. hostOf does not use package url,
// which returns no host if the address has a fault anywhere after it.
func hostOf(address string) string {
	const delimiters = `/?#\`
	if scheme := strings.Index(address, "://"); scheme >= 0 &&
		strings.IndexAny(address, delimiters) > scheme {
		address = address[scheme+len("://"):]
	}
	address = strings.TrimPrefix(address, "//")
	if end := strings.IndexAny(address, delimiters); end >= 0 {
		address = address[:end]
	}
	host := address[strings.LastIndexByte(address, '@')+1:]
	if colon := strings.LastIndexByte(host, ':'); colon > strings.LastIndexByte(host, ']') {
		host = host[:colon]
	}
	return strings.ToLower(strings.TrimSuffix(strings.TrimSpace(host), "."))
}
