package gateway

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strconv"
	"time"

	"github.com/gemwire/gemwire/pkg/fakegemini"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/server/gateway/internal/chatupstream"
	"github.com/gemwire/gemwire/server/gateway/internal/inbound"
	"github.com/gemwire/gemwire/server/gateway/internal/secret"
	"github.com/gemwire/gemwire/server/gateway/internal/upstream"
)

// Service is what answers.
type Service string

// The services.
const (
	// Embedded is the fake server of package fakegemini, within the process. It is the default.
	Embedded Service = "embedded"
	// GeminiAPI is the Gemini API.
	GeminiAPI Service = "gemini"
	// VertexAI is Vertex AI, for a project at a location.
	VertexAI Service = "vertex"
	// VertexAIExpress is Vertex AI by an API key and without a project.
	VertexAIExpress Service = "vertex-express"
	// OpenAI is a server that speaks OpenAI's chat_completions, of OpenAI or of anybody else.
	OpenAI Service = "openai"
)

// Upstream is where requests go. The zero value is [Embedded].
type Upstream struct {
	Service Service
	// BaseURL is another server of the same API, by the address in front of the version, such as
	// "https://proxy.example/gemini"; "" is Google's own. For OpenAI it is that in front of
	// /chat/completions, such as "https://server.example/v1", and must be there.
	BaseURL string
	// Extensions sends a server of OpenAI what its API has no place for as members that only
	// gemwire and Google know. Others refuse them.
	Extensions bool
	// AccumulatedDeltas says that a server of OpenAI sends all of a text so far in each delta of a
	// stream.
	AccumulatedDeltas bool
	// OlderServer says that a server of OpenAI takes max_tokens in place of max_completion_tokens,
	// and no list of the functions that may be called beside those that are there, as Ollama's and
	// Mistral's do.
	OlderServer bool
	// EffortWithTools says that a server of OpenAI takes functions with any reasoning effort.
	// Otherwise models from GPT-5.6 on, which OpenAI refuses to answer then, are sent the effort
	// none.
	EffortWithTools bool
	// APIVersion is that in the addresses; "" is the default of [gemini.WithAPIVersion].
	APIVersion string
	// Accounts are the credentials, at least one unless the service is Embedded.
	Accounts []Account
	// HTTPClient sends the requests; nil is one with many connections.
	HTTPClient gemini.Doer
}

// Account is a credential of an upstream. It prints nothing of its secret.
type Account struct {
	// Project names the quota that it counts against, for logs too. Quota is the project's, not the
	// key's, so that keys of one project rest together. "" is a project of its own.
	Project string
	// keySum tells keys apart.
	keySum string
	// isVertexAI is whether it is for projects of Vertex AI, location where.
	isVertexAI bool
	location   string
	// options is a function, since package fmt prints what pointers lead to. So is secrets, which
	// returns the credentials that are sent.
	options func() []gemini.ClientOption
	secrets func() []string
}

// KeyAccount is an API key.
func KeyAccount(project, key string) Account {
	sum := sha256.Sum256([]byte(key))
	return Account{
		Project: project, keySum: hex.EncodeToString(sum[:]),
		options: func() []gemini.ClientOption { return []gemini.ClientOption{gemini.WithAPIKey(key)} },
		secrets: func() []string { return []string{key} },
	}
}

// VertexAccount calls Vertex AI for a project at a location, "" for global, with tokens of a source
// such as that of package vertexauth.
func VertexAccount(project, location string, source gemini.TokenSource) Account {
	tokens := secret.NewTokens(source)
	return Account{
		Project: project, isVertexAI: true, location: location,
		options: func() []gemini.ClientOption {
			own := []gemini.ClientOption{gemini.WithVertexAI(project, location)}
			if source == nil {
				return append(own, gemini.WithTokenSource(nil)) // which fails by an error
			}
			return append(own, gemini.WithTokenSource(tokens))
		},
		secrets: tokens.Recent,
	}
}

// publicAccount has no credential; that of the caller takes its place.
func publicAccount() Account {
	return Account{
		options: func() []gemini.ClientOption { return []gemini.ClientOption{gemini.WithoutCredentials()} },
		secrets: func() []string { return nil },
	}
}

// quota tells which quota an account counts against: that of its project, where it is known.
func (a Account) quota() string {
	if a.Project == "" {
		return "key " + a.keySum
	}
	return "project " + a.Project
}

// String shows the project alone.
func (a Account) String() string { return "account " + strconv.Quote(a.Project) }

// GoString does the same for %#v.
func (a Account) GoString() string { return a.String() }

// Format does the same for every verb.
func (a Account) Format(state fmt.State, _ rune) { _, _ = io.WriteString(state, a.String()) }

// LogValue does the same for logs.
func (a Account) LogValue() slog.Value { return slog.StringValue(a.String()) }

// MarshalText does the same for encoders.
func (a Account) MarshalText() ([]byte, error) { return []byte(a.String()), nil }

// service returns the name of what answers.
func (s *settings) service() string { return string(cmp.Or(s.upstream.Service, Embedded)) }

// isVertexAI reports whether requests take Vertex AI's form.
func (u *Upstream) isVertexAI() bool { return u.Service == VertexAI || u.Service == VertexAIExpress }

// What an upstream cannot be.
var (
	errNoAccount = errors.New("gateway: the upstream has no account: give it a key, or take the embedded one")
	errLocal     = errors.New("gateway: the embedded upstream has neither accounts nor an address")
	errNoAddress = errors.New("gateway: the upstream openai needs the address of its server")
)

// isSameServer reports whether another upstream is at the same address, where quotas are the same.
func (u *Upstream) isSameServer(other *Upstream) bool {
	return cmp.Or(u.Service, Embedded) == cmp.Or(other.Service, Embedded) &&
		u.BaseURL == other.BaseURL
}

func (u *Upstream) check(callersKey bool) error {
	switch cmp.Or(u.Service, Embedded) {
	case Embedded:
		if len(u.Accounts) > 0 || u.BaseURL != "" {
			return errLocal
		}
	case GeminiAPI, VertexAI, VertexAIExpress:
		if len(u.Accounts) == 0 && !callersKey {
			return errNoAccount
		}
	case OpenAI:
		if u.BaseURL == "" {
			return errNoAddress
		}
	default:
		return fmt.Errorf("gateway: no service is called %q; there are %s, %s, %s, %s and %s",
			u.Service, Embedded, GeminiAPI, VertexAI, VertexAIExpress, OpenAI)
	}
	return nil
}

// connect makes the accounts of the upstream.
func (s *setup) connect() error {
	var accounts []*upstream.Account
	var err error
	if cmp.Or(s.upstream.Service, Embedded) == Embedded {
		accounts, err = s.embed()
	} else {
		accounts, err = s.accounts()
	}
	if err != nil {
		return err
	}
	s.pool = upstream.NewPool(accounts, s.now)
	return nil
}

// embed starts the fake server, which opens no port.
func (s *setup) embed() ([]*upstream.Account, error) {
	server, err := fakegemini.Start(fakegemini.WithoutRequestLog())
	if err != nil {
		return nil, fmt.Errorf("gateway: %w", err)
	}
	s.free = server.Close
	opts := append(onceOnly(), gemini.WithTokenSource(embeddedToken{}),
		gemini.WithStorage(s.storage),
		gemini.WithHTTPClient(inbound.NewDoer(server.HTTPClient(), s.maxAnswer)),
		gemini.WithMaxBodySize(unlimited))
	client, err := server.NewClient(opts...)
	if err != nil {
		return nil, fmt.Errorf("gateway: %w", err)
	}
	return []*upstream.Account{{Project: string(Embedded), Client: client}}, nil
}

// embeddedToken is the credential for the embedded server. It is no key, since what lies at a
// project of Vertex AI takes tokens alone.
type embeddedToken struct{}

func (embeddedToken) Token(context.Context) (string, error) { return "embedded", nil }

// accounts makes a client for each account.
func (s *setup) accounts() ([]*upstream.Account, error) {
	doer := s.upstream.HTTPClient
	if doer == nil {
		t := newTransport()
		doer, s.free = gemini.DoerFunc(t.RoundTrip), t.CloseIdleConnections
	}
	doer = secret.Doer(inbound.NewDoer(doer, s.maxAnswer))
	if s.upstream.Service == OpenAI {
		doer = s.chatServer(doer)
	}
	given := s.upstream.Accounts
	if len(given) == 0 {
		given = []Account{publicAccount()}
	}
	s.ownSecrets = secretsOf(given)
	var out []*upstream.Account
	for i, account := range given {
		if account.options == nil || account.isVertexAI != (s.upstream.Service == VertexAI) {
			return nil, fmt.Errorf("gateway: account %d: a project of Vertex AI takes a VertexAccount, any other service a KeyAccount",
				i)
		}
		client, err := gemini.NewClient(append(s.clientOptions(doer), account.options()...)...)
		if err != nil {
			return nil, fmt.Errorf("gateway: account %d: %w", i, err)
		}
		out = append(out, &upstream.Account{
			Project: cmp.Or(account.Project, "account "+strconv.Itoa(i)), Quota: account.quota(),
			Location: account.location, Client: client,
		})
	}
	return out, nil
}

// secretsOf returns what returns the credentials that accounts send.
func secretsOf(accounts []Account) func() []string {
	return func() []string {
		var out []string
		for _, account := range accounts {
			if account.secrets != nil {
				out = append(out, account.secrets()...)
			}
		}
		return out
	}
}

// chatServer returns what answers requests for Gemini by a server of chat_completions.
func (s *setup) chatServer(below gemini.Doer) gemini.Doer {
	return &chatupstream.Doer{
		Address: s.upstream.BaseURL, Below: below, Extensions: s.upstream.Extensions,
		Estimates:   s.countMode == CountByEstimate,
		Accumulated: s.upstream.AccumulatedDeltas, Older: s.upstream.OlderServer,
		EffortWithTools: s.upstream.EffortWithTools,
	}
}

// clientOptions returns the options of the client of an account, without its credential.
func (s *settings) clientOptions(doer gemini.Doer) []gemini.ClientOption {
	u := &s.upstream
	opts := append(onceOnly(), gemini.WithHTTPClient(doer), gemini.WithStorage(s.storage),
		gemini.WithMaxBodySize(unlimited))
	if !s.storesAtGoogle() {
		opts = append(opts, gemini.WithStorage(gemini.StorageByProject))
	}
	if u.Service == VertexAIExpress {
		opts = append(opts, gemini.WithVertexAIExpress())
	}
	if u.BaseURL != "" {
		opts = append(opts, gemini.WithBaseURL(u.BaseURL))
	}
	if u.APIVersion != "" {
		opts = append(opts, gemini.WithAPIVersion(u.APIVersion))
	}
	return opts
}

// unlimited leaves the limit on answers to package inbound, which counts what comes from the
// upstream rather than what a conversion makes of it.
const unlimited = -1

// storesAtGoogle reports whether the upstream knows the member store.
func (s *settings) storesAtGoogle() bool {
	return s.upstream.Service != OpenAI && !s.upstream.isVertexAI()
}

// onceOnly has a client make one attempt: what is tried again, and by which account, is the pool's
// to say.
func onceOnly() []gemini.ClientOption {
	return []gemini.ClientOption{gemini.WithMaxAttempts(1), gemini.WithRetryBudget(0, 0)}
}

// newTransport returns what sends requests, with a connection for each of many streams, whose
// buffers are half of the usual: a chunk has room in them, and what is larger passes them by.
// Bodies are not compressed: a first chunk does not wait for a compressor, and 1,000 streams need
// no 1,000 of them.
//
// It is called without an http.Client around it, whose redirects and cookies nobody wants here:
// that has 1.2 KB on the stack, with which each request would need one of 16 KB in place of 8.
func newTransport() *http.Transport {
	return &http.Transport{
		Proxy:               http.ProxyFromEnvironment,
		ForceAttemptHTTP2:   true,
		MaxIdleConnsPerHost: 1024,
		IdleConnTimeout:     90 * time.Second,
		TLSHandshakeTimeout: 10 * time.Second,
		DisableCompression:  true,
		ReadBufferSize:      2 << 10,
		WriteBufferSize:     2 << 10,
	}
}
