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

// Service is the kind of server that answers requests.
type Service string

// The services.
const (
	// Embedded is the fake server of package fakegemini, in the same process. It is the default.
	Embedded Service = "embedded"
	// GeminiAPI is the Gemini API.
	GeminiAPI Service = "gemini"
	// VertexAI is Vertex AI with a project and a location.
	VertexAI Service = "vertex"
	// VertexAIExpress is Vertex AI with an API key and without a project.
	VertexAIExpress Service = "vertex-express"
	// OpenAI is any server that speaks OpenAI's chat_completions.
	OpenAI Service = "openai"
)

// UpstreamAPI is an API of Google that answers requests to generate content.
type UpstreamAPI string

// The APIs.
const (
	// APIByModel is the Interactions API for models and agents that exist only there, and
	// generateContent for all others. It is the default.
	APIByModel UpstreamAPI = "auto"
	// APIGenerateContent is generateContent for all models.
	APIGenerateContent UpstreamAPI = "generate_content"
	// APIInteractions is the Interactions API for all models.
	APIInteractions UpstreamAPI = "interactions"
)

// Upstream is the server that answers requests. The zero value is [Embedded].
type Upstream struct {
	Service Service
	// BaseURL selects another server of the same API. It is the URL before the version, such as
	// "https://proxy.example/gemini". "" selects Google's own server. For OpenAI it is required and
	// is the URL before /chat/completions, such as "https://server.example/v1".
	BaseURL string
	// Extensions sends values that OpenAI's API has no member for, as members that only gemwire and
	// Google know. Other servers refuse them.
	Extensions bool
	// AccumulatedDeltas says that each stream delta of an OpenAI server contains the whole text so
	// far.
	AccumulatedDeltas bool
	// OlderServer says that an OpenAI server expects max_tokens instead of max_completion_tokens,
	// and does not accept a list of allowed functions (allowed_tools). Ollama's and Mistral's
	// servers are of this kind.
	OlderServer bool
	// EffortWithTools says that an OpenAI server accepts functions with any reasoning effort.
	// Otherwise the gateway sends the effort none with functions to models from GPT-5.6 on, because
	// OpenAI refuses any other effort then.
	EffortWithTools bool
	// API is the API of Google that answers requests to generate content. "" is [APIByModel]. The
	// service OpenAI ignores it.
	API UpstreamAPI
	// APIVersion is the version in URLs. "" is the default of [gemini.WithAPIVersion].
	APIVersion string
	// Accounts are the credentials. At least one is required unless the service is Embedded.
	Accounts []Account
	// HTTPClient sends the requests. If it is nil, the gateway uses a client with many connections.
	HTTPClient gemini.Doer
}

// Account is a credential of an upstream. Its printed form does not contain the secret.
type Account struct {
	// Project names the quota that the account counts against, also in logs. Google's quota belongs
	// to the project and not to the key. So the keys of one project are paused together. "" is a
	// project of its own.
	Project string
	// keySum distinguishes keys.
	keySum string
	// isVertexAI is set for projects of Vertex AI. location is their location.
	isVertexAI bool
	location   string
	// options is a function because package fmt would print data that pointers refer to. The same
	// holds for secrets, which returns the credentials that are sent.
	options func() []gemini.ClientOption
	secrets func() []string
}

// KeyAccount returns the account of an API key.
func KeyAccount(project, key string) Account {
	sum := sha256.Sum256([]byte(key))
	return Account{
		Project: project, keySum: hex.EncodeToString(sum[:]),
		options: func() []gemini.ClientOption { return []gemini.ClientOption{gemini.WithAPIKey(key)} },
		secrets: func() []string { return []string{key} },
	}
}

// VertexAccount returns an account that calls Vertex AI for a project at a location. The location
// "" is global. The tokens come from a source such as package vertexauth.
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

// publicAccount has no credential. The caller's credential takes its place.
func publicAccount() Account {
	return Account{
		options: func() []gemini.ClientOption { return []gemini.ClientOption{gemini.WithoutCredentials()} },
		secrets: func() []string { return nil },
	}
}

// quota returns the quota that an account counts against: its project's, if the project is known.
func (a Account) quota() string {
	if a.Project == "" {
		return "key " + a.keySum
	}
	return "project " + a.Project
}

// String returns the project only.
func (a Account) String() string { return "account " + strconv.Quote(a.Project) }

// GoString returns the same text as String, for %#v.
func (a Account) GoString() string { return a.String() }

// Format writes the same text as String, for every verb.
func (a Account) Format(state fmt.State, _ rune) { _, _ = io.WriteString(state, a.String()) }

// LogValue returns the same text as String, for logs.
func (a Account) LogValue() slog.Value { return slog.StringValue(a.String()) }

// MarshalText does the same for encoders.
func (a Account) MarshalText() ([]byte, error) { return []byte(a.String()), nil }

// service returns the name of the service that answers.
func (s *settings) service() string { return string(cmp.Or(s.upstream.Service, Embedded)) }

// title returns the name of the service for people.
func (u *Upstream) title() string {
	switch u.Service {
	case GeminiAPI:
		return "Gemini API"
	case VertexAI, VertexAIExpress:
		return "Vertex AI"
	case OpenAI:
		return "chat_completions"
	default:
		return "built-in fake server"
	}
}

// isVertexAI reports whether requests have Vertex AI's form.
func (u *Upstream) isVertexAI() bool { return u.Service == VertexAI || u.Service == VertexAIExpress }

// Errors of an invalid upstream.
var (
	errNoAccount = errors.New("gateway: the upstream has no account; add a key, or use the embedded upstream")
	errLocal     = errors.New("gateway: the embedded upstream must not have accounts or a base URL")
	errNoAddress = errors.New("gateway: the upstream openai needs a base URL; set base_url")
)

// isSameServer reports whether another upstream has the same address and therefore the same quotas.
func (u *Upstream) isSameServer(other *Upstream) bool {
	return cmp.Or(u.Service, Embedded) == cmp.Or(other.Service, Embedded) &&
		u.BaseURL == other.BaseURL
}

func (u *Upstream) check(callersKey bool) error {
	switch u.API {
	case "", APIByModel, APIGenerateContent, APIInteractions:
	default:
		return fmt.Errorf("gateway: unknown upstream API %q; use %s, %s or %s", u.API, APIByModel,
			APIGenerateContent, APIInteractions)
	}
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
		return fmt.Errorf("gateway: unknown service %q; use %s, %s, %s, %s or %s",
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

// embed starts the fake server, which does not open a port.
func (s *setup) embed() ([]*upstream.Account, error) {
	server, err := fakegemini.Start(fakegemini.WithoutRequestLog())
	if err != nil {
		return nil, fmt.Errorf("gateway: %w", err)
	}
	s.free = server.Close
	opts := append(onceOnly(), gemini.WithTokenSource(embeddedToken{}),
		gemini.WithStorage(s.storage),
		gemini.WithHTTPClient(s.bridge(inbound.NewDoer(server.HTTPClient(), s.maxAnswer))),
		gemini.WithMaxBodySize(unlimited))
	client, err := server.NewClient(opts...)
	if err != nil {
		return nil, fmt.Errorf("gateway: %w", err)
	}
	return []*upstream.Account{{Project: string(Embedded), Client: client}}, nil
}

// embeddedToken is the credential for the embedded server. It is a token and not a key, because
// resources of a Vertex AI project accept only tokens.
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
	} else {
		doer = s.bridge(doer)
	}
	given := s.upstream.Accounts
	if len(given) == 0 {
		given = []Account{publicAccount()}
	}
	s.ownSecrets = secretsOf(given)
	var out []*upstream.Account
	for i, account := range given {
		if account.options == nil || account.isVertexAI != (s.upstream.Service == VertexAI) {
			return nil, fmt.Errorf("gateway: account %d: expected a VertexAccount for a Vertex AI project, and a KeyAccount for any other service",
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

// secretsOf returns a function that returns the credentials of accounts.
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

// chatServer returns a transport that answers Gemini requests with a server of chat_completions.
func (s *setup) chatServer(below gemini.Doer) gemini.Doer {
	return &chatupstream.Doer{
		Address: s.upstream.BaseURL, Below: below, Extensions: s.upstream.Extensions,
		Estimates:   s.countMode == CountByEstimate,
		Accumulated: s.upstream.AccumulatedDeltas, Older: s.upstream.OlderServer,
		EffortWithTools: s.upstream.EffortWithTools,
	}
}

// clientOptions returns the client options of an account, without its credential.
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

// unlimited removes the client's limit on answers. Package inbound limits them instead: it counts
// bytes from the upstream and not the result of a conversion.
const unlimited = -1

// storesAtGoogle reports whether the upstream accepts the member store.
func (s *settings) storesAtGoogle() bool {
	return s.upstream.Service != OpenAI && !s.upstream.isVertexAI()
}

// stores returns the member store of requests to generate content. The member is not set if the
// project or the upstream decides.
func (s *settings) stores() (store, isSet bool) {
	isSet = s.storage != gemini.StorageByProject && s.storesAtGoogle()
	return s.storage == gemini.StorageOn, isSet
}

// onceOnly limits a client to one attempt, because the pool decides about retries and accounts.
func onceOnly() []gemini.ClientOption {
	return []gemini.ClientOption{gemini.WithMaxAttempts(1), gemini.WithRetryBudget(0, 0)}
}

// newTransport returns the transport for requests. It opens a connection for each of many streams.
// The connection buffers have half of the usual size: a chunk fits into them, and larger writes
// bypass them. Bodies are not compressed, so a first chunk does not wait for a compressor, and
// 1,000 streams do not need 1,000 compressors.
//
// The gateway calls the transport without an http.Client, whose redirects and cookies are not
// wanted here. An http.Client uses 1.2 KB of stack, so each request would need a stack of 16 KB
// instead of 8 KB.
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
