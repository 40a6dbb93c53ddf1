// Package transporterror describes network errors without the addresses that the standard library
// adds. A host and a port do not help the reader of an answer, and the query of an address may
// contain a key.
package transporterror

import (
	"errors"
	"net"
	"net/url"
	"strings"

	"github.com/gemwire/gemwire/internal/loopback"
)

// Text returns the text of an error without addresses. It removes the addresses that errors of
// packages net and net/url in the error's chain quote. "Post \"https://host/v1?key=k\": dial tcp
// 192.0.2.1:443: connect: connection refused" becomes "Post: dial tcp: connect: connection
// refused".
func Text(err error) string {
	text := err.Error()
	if without, ok := withoutAddress(err); ok {
		return without
	}
	for _, cause := range causes(err) {
		quoted, without := cause.Error(), Text(cause)
		switch {
		case quoted == without:
		case strings.Contains(text, quoted):
			text = strings.Replace(text, quoted, without, 1)
		default: // the wrapper words the cause in its own way, which may quote an address too
			return without
		}
	}
	return text
}

// Host returns the host and port of the server of a failed request. It returns "" if the error is
// not about a request. It is for the person who runs the program. An answer may name only a host
// that [IsWellKnown].
func Host(err error) string {
	host, _ := Failure(err)
	return host
}

// Failure returns what [Host] returns, and the text of what failed there, such as "dial tcp:
// connect: connection refused".
func Failure(err error) (host, text string) {
	if failed, ok := errors.AsType[*requestError](err); ok {
		return failed.host, Text(failed.err)
	}
	failed, ok := errors.AsType[*url.Error](err)
	if !ok {
		return "", ""
	}
	address, parsed := url.Parse(failed.URL)
	if parsed != nil || address.Host == "" {
		return "", ""
	}
	return hostOf(address), Text(failed.Err)
}

// WithHost returns an error of a transport for which [Host] knows the server. [http.Client] names
// the server itself, an [http.RoundTripper] does not. Its text is the text of err.
func WithHost(err error, address *url.URL) error {
	if err == nil || address == nil || address.Host == "" {
		return err
	}
	return &requestError{hostOf(address), err}
}

// requestError is an error of a request to a host.
type requestError struct {
	host string
	err  error
}

func (e *requestError) Error() string { return e.err.Error() }

func (e *requestError) Unwrap() error { return e.err }

// IsWellKnown reports whether a host with a port is Google's or this machine. Such a name does not
// show how a network is built.
func IsWellKnown(hostPort string) bool {
	host, _, err := net.SplitHostPort(hostPort)
	return err == nil &&
		(strings.HasSuffix(strings.ToLower(host), ".googleapis.com") || loopback.IsHost(host))
}

// hostOf returns the host and port of an address, and nothing else of it.
func hostOf(address *url.URL) string {
	if address.Port() != "" {
		return address.Host
	}
	return net.JoinHostPort(address.Hostname(),
		map[string]string{"http": "80", "https": "443"}[address.Scheme])
}

// causes returns the errors that an error wraps.
func causes(err error) []error {
	switch e := err.(type) {
	case interface{ Unwrap() error }:
		if cause := e.Unwrap(); cause != nil {
			return []error{cause}
		}
	case interface{ Unwrap() []error }:
		return e.Unwrap()
	}
	return nil
}

// withoutAddress returns the text of an error that quotes an address or whose cause quotes a
// secret. It reports false for all other errors.
func withoutAddress(err error) (text string, ok bool) {
	switch e := err.(type) {
	case *withoutSecret:
		return e.text, true
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
