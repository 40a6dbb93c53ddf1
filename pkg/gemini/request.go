package gemini

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/gemwire/gemwire/pkg/gemini/internal/endpoint"
	"github.com/gemwire/gemwire/pkg/gemini/internal/transport"
)

// The request headers.
const (
	headerKey           = "X-Goog-Api-Key"
	headerAuthorization = "Authorization"
	headerContentType   = "Content-Type"
	headerAccept        = "Accept"
	headerUserAgent     = "User-Agent"
)

// prepare makes the request that each attempt sends.
func (x *exchange) prepare() error {
	s, op := x.settings, x.op
	address, err := x.address()
	if err != nil {
		return err
	}
	for _, edit := range s.edits {
		if op.body == nil {
			break
		}
		if op.body, err = edit(op.body); err != nil {
			return err
		}
	}
	for _, p := range op.header {
		if err := checkHeader(p.name, p.value); err != nil {
			return err
		}
	}
	x.request = transport.Request{
		Method: op.method, URL: address, Header: x.headers(),
		Body: op.body, Upload: op.upload, UploadSize: op.size,
	}
	return nil
}

// The errors for an address that a server names.
var (
	errOtherOrigin = errors.New("the server named an address at another origin, and credentials are not sent there")
	errUserInfo    = errors.New("the server named an address with a user name, which would be sent as a credential")
)

// address returns the address of the operation, and records the origin.
func (x *exchange) address() (*url.URL, error) {
	s, op := x.settings, x.op
	own, err := s.endpoint.URL(op.folder, op.resource, op.verb)
	if err != nil {
		return nil, err
	}
	x.origin = own
	if op.address != "" {
		if own, err = url.Parse(op.address); err != nil {
			return nil, err
		}
		if own.User != nil {
			return nil, errUserInfo
		}
		if x.isAway = !endpoint.SameOrigin(own, x.origin); x.isAway {
			return own, x.checkAway(own)
		}
	}
	if len(op.query)+len(s.query) > 0 || op.isStream {
		own.RawQuery = s.queryOf(op, own.Query())
	}
	return own, nil
}

// checkAway refuses an address of another origin, except for a download over https.
func (x *exchange) checkAway(address *url.URL) error {
	if !x.op.isDownload {
		return errOtherOrigin
	}
	return endpoint.CheckSecret(address)
}

// queryOf returns the query with the parameters of the operation and of the settings. The settings
// do not repeat a parameter of the operation. They may change the form of a stream, because the
// client reads both forms.
func (s *settings) queryOf(op *operation, query url.Values) string {
	for _, p := range op.query {
		query.Add(p.name, p.value)
	}
	own := maps.Clone(query)
	for _, p := range s.query {
		if !own.Has(p.name) {
			query.Add(p.name, p.value)
		}
	}
	if op.isStream && !query.Has(parameterForm) {
		query.Set(parameterForm, "sse")
	}
	return query.Encode()
}

// parameterForm is the parameter that sets the form of an answer.
const parameterForm = "alt"

// headers returns the headers of the request, without the credential. The caller's headers are only
// for the client's own origin.
func (x *exchange) headers() http.Header {
	s, op := x.settings, x.op
	header := http.Header{headerUserAgent: {s.userAgent}, headerAccept: {"application/json"}}
	if op.body != nil {
		header[headerContentType] = []string{"application/json"}
	}
	if op.isStream {
		header[headerAccept] = []string{"text/event-stream"}
	}
	lists := [][]pair{op.header, s.header}
	if x.isAway {
		lists = lists[:1]
	}
	for _, list := range lists {
		for _, p := range list {
			header.Set(p.name, p.value)
		}
	}
	return header
}

// doer returns the sender of an attempt: the middleware, then the credential, then the caller's
// HTTP client. The middleware sees errors of the HTTP client without secrets. doer records the key.
func (x *exchange) doer(ctx context.Context) (Doer, error) {
	credential, err := x.credential(ctx)
	if err != nil {
		return nil, err
	}
	do := transport.WithoutSecrets(credential.With(x.settings.doer), x.settings.known())
	for _, middleware := range slices.Backward(x.settings.middleware) {
		do = middleware(do)
	}
	return do, nil
}

var errTokenText = errors.New("the access token has a control character, such as a line break")

// credential returns the credential of an attempt.
func (x *exchange) credential(ctx context.Context) (transport.Credential, error) {
	s := x.settings
	switch {
	case x.isAway:
		return transport.Credential{}, nil
	case s.keys.Len() > 0:
		x.key = usedKey{s.keys.Take(s.retry.Now()), s.retry.Now}
		return transport.NewCredential(headerKey, x.key.key.Secret(), x.origin), nil
	case s.tokens != nil:
		token, err := s.tokens.Token(ctx)
		s.sentTokens.add(token)
		if err == nil && !isHeaderValue(token) {
			err = errTokenText
		}
		return transport.NewCredential(headerAuthorization, "Bearer "+token, x.origin), err
	default:
		return transport.Credential{}, nil
	}
}

var errHeaderName = errors.New("a header name must consist of letters, digits and !#$%&'*+-.^_`|~")

// checkHeader checks a header by RFC 9110 (5.1, 5.5). Without it, net/http would refuse the header
// only when it sends, as if the network had failed. The error does not quote the value.
func checkHeader(name, value string) error {
	if name == "" || strings.ContainsFunc(name, isNotOfToken) {
		return errHeaderName
	}
	if !isHeaderValue(value) {
		return fmt.Errorf("the value of the header %s has a control character", name)
	}
	return nil
}

func isNotOfToken(r rune) bool {
	isAlphanumeric := r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z'
	return !isAlphanumeric && !strings.ContainsRune("!#$%&'*+-.^_`|~", r)
}

// isHeaderValue reports whether a text is valid as a header value: it has no control characters
// except tabs.
func isHeaderValue(value string) bool {
	return !strings.ContainsFunc(value,
		func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f })
}
