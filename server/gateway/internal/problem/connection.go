package problem

import (
	"crypto/tls"
	"errors"

	"github.com/gemwire/gemwire/internal/transporterror"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/server/gateway/internal/upstream"
)

// Caller says for whom the problem of a failed call is.
type Caller struct {
	// HasOwnKey reports that the call was made with the caller's own key.
	HasOwnKey bool
	// IsProgram reports that the caller is the program that runs the gateway.
	IsProgram bool
	// Upstream is the title of the upstream, such as "Gemini API".
	Upstream string
}

// connectionMessage returns the message of a call whose connection failed, or "" for another error.
//
// The host of an operator's own server is not for remote callers: internal names show how a network
// is built, and callers cannot act on them. So the message names the host only to the program
// itself, or if everyone knows it: Google's hosts and this machine. The access log and the
// inspector always name it.
func (to *Caller) connectionMessage(err error) string {
	host, text := transporterror.Failure(err)
	_, isCertificate := errors.AsType[*tls.CertificateVerificationError](err)
	isUnreached := upstream.IsUnreached(err) || isCertificate
	if host == "" || !isUnreached && gemini.CategoryOf(err) != gemini.CategoryNetwork {
		return ""
	}
	end := ""
	if !to.IsProgram && !transporterror.IsWellKnown(host) {
		host, end = "the upstream ("+to.Upstream+")", "; the gateway's log names its host"
		if isCertificate { // its text names hosts
			text = "the certificate is not valid"
		}
	}
	if isUnreached {
		return "cannot connect to " + host + ": " + text + end
	}
	return "the connection to " + host + " failed: " + text + end
}
