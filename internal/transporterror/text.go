// Package transporterror words failures between here and a server without the addresses that the standard
// library puts into them: hosts and ports are of no use to whoever reads an answer, and the query of an
// address may hold a key.
package transporterror

import (
	"errors"
	"net"
	"net/url"
	"strings"
)

// Text returns the text of an error without the addresses that errors of packages net and net/url in its
// chain quote. "Post \"https://host/v1?key=k\": dial tcp 192.0.2.1:443: connect: connection refused" is
// "Post: dial tcp: connect: connection refused".
func Text(err error) string {
	text := err.Error()
	for cause := err; cause != nil; cause = errors.Unwrap(cause) {
		if without, ok := withoutAddress(cause); ok {
			if quoted := cause.Error(); strings.Contains(text, quoted) {
				return strings.Replace(text, quoted, without, 1)
			}
			return without
		}
	}
	return text
}

// withoutAddress words an error that quotes an address. It reports false for all others.
func withoutAddress(err error) (text string, ok bool) {
	switch e := err.(type) {
	case *url.Error:
		return e.Op + ": " + Text(e.Err), true
	case *net.OpError:
		return strings.TrimSpace(e.Op+" "+e.Net) + ": " + Text(e.Err), true
	case *net.DNSError:
		return "lookup: " + e.Err, true
	case *net.AddrError:
		return e.Err, true
	case *net.ParseError:
		return "invalid " + e.Type, true
	case *net.InvalidAddrError, net.InvalidAddrError, net.UnknownNetworkError:
		return "invalid address", true
	default:
		return "", false
	}
}
