package websearch

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/url"
	"syscall"
)

// networkError is the error of a call without a complete reply. It does not contain the texts of
// package net/http's errors, because they contain the URL with the key and may contain a proxy's
// password.
func (c *Client) networkError(err error) *Error {
	return &Error{
		Code:    CodeNetworkError,
		Message: "HTTP request failed: " + networkReason(err),
		cause:   c.credentials.safeCause(err),
	}
}

func networkReason(err error) string {
	_, ofDNS := errors.AsType[*net.DNSError](err)
	_, ofCertificate := errors.AsType[*tls.CertificateVerificationError](err)
	_, ofConnection := errors.AsType[*net.OpError](err)
	switch {
	case errors.Is(err, context.Canceled):
		return "cancelled"
	case isTimeout(err):
		return "timed out"
	case ofDNS:
		return "could not resolve the host"
	case ofCertificate:
		return "the server's certificate is not trusted"
	case errors.Is(err, syscall.ECONNREFUSED):
		return "connection refused"
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		return "connection reset"
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return "connection closed before the reply was complete"
	case ofConnection:
		return "the connection failed"
	default:
		return "no valid reply from the server"
	}
}

func isTimeout(err error) bool {
	timeout, ok := errors.AsType[net.Error](err)
	return errors.Is(err, context.DeadlineExceeded) || ok && timeout.Timeout()
}

// safeCause returns the cause of a failed request for programs. The error around it contains the
// URL.
func (c Credentials) safeCause(err error) error {
	for {
		outer, ok := errors.AsType[*url.Error](err)
		if !ok {
			break
		}
		err = outer.Err
	}
	if plain := err.Error(); c.redact(plain) != plain {
		return errors.New(c.redact(plain))
	}
	return err
}
