package gemini

import (
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/gemwire/gemwire/internal/redact"
	"github.com/gemwire/gemwire/internal/transporterror"
	"github.com/gemwire/gemwire/pkg/wire"
)

// credentialHeaders and credentialParameters are where a caller may add credentials to requests. A
// server or a Doer may quote them in errors, like the client's own.
var (
	credentialHeaders    = []string{headerKey, headerAuthorization, "Proxy-Authorization"}
	credentialParameters = []string{"key", "access_token", "oauth_token"}
)

// knowHeader records the credential in a header of the caller, without its scheme such as "Bearer".
func (s *settings) knowHeader(name, value string) {
	if slices.Contains(credentialHeaders, http.CanonicalHeaderKey(name)) {
		s.secrets = appended(s.secrets, value[strings.LastIndexByte(value, ' ')+1:])
	}
}

// knowParameter records the credential in a query parameter of the caller.
func (s *settings) knowParameter(name, value string) {
	if slices.Contains(credentialParameters, name) {
		s.secrets = appended(s.secrets, value)
	}
}

// recentTokens are the access tokens that a client sent last. It is safe for use by several
// goroutines, and nil for a client that sends no tokens.
type recentTokens struct {
	mu   sync.Mutex
	list []string
}

// maxRecentTokens is the number of tokens that are kept. A token is valid for an hour, so errors do
// not quote old ones.
const maxRecentTokens = 8

// add records a token.
func (r *recentTokens) add(token string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if token == "" || slices.Contains(r.list, token) {
		return
	}
	r.list = appended(r.list[max(0, len(r.list)+1-maxRecentTokens):], token)
}

// all returns the tokens as a list that never changes.
func (r *recentTokens) all() []string {
	if r == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.list
}

// known returns the texts that errors must not quote: all keys of the client, the access tokens
// that it sent last, and the credentials that the caller put into headers and queries.
func (s *settings) known() []string {
	keys, tokens := s.keys.Secrets(), s.sentTokens.all()
	if len(tokens)+len(s.secrets) == 0 {
		return keys
	}
	return slices.Concat(keys, s.secrets, tokens)
}

// blankSecrets redacts credentials in a server's text before the error leaves the client.
func (s *settings) blankSecrets(err error) {
	secrets := s.known()
	if e, ok := errors.AsType[*Error](err); ok {
		e.blank(secrets)
	}
	if e, ok := errors.AsType[*wire.StreamError](err); ok {
		e.Problem = redact.Text(e.Problem, secrets...)
	}
	if e, ok := errors.AsType[*wire.MalformedError](err); ok { // it quotes member names
		e.Pointer, e.Message = redact.Text(e.Pointer, secrets...),
			redact.Text(e.Message, secrets...)
		if e.Err != nil {
			e.Err = transporterror.Without(e.Err, secrets)
		}
	}
}
