package config

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/netip"
	"os"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/gemini/vertexauth"
	"github.com/gemwire/gemwire/server/gateway"
	"github.com/gemwire/gemwire/server/gateway/clientkey"
	"github.com/gemwire/gemwire/server/ratecard"
)

// Options returns the gateway options for the settings. It reads the credentials and the files that
// the settings name. The program itself sets up the address, the store, the inspector, the
// metrics and the log.
func (c *Config) Options() ([]gateway.Option, error) {
	upstream, err := c.upstream()
	if err != nil {
		return nil, err
	}
	opts := []gateway.Option{
		gateway.WithUpstream(upstream),
		gateway.WithMaxAttempts(c.MaxAttempts),
		gateway.WithRetryMalformed(c.RetryMalformed),
		gateway.WithAliases(c.Alias),
		gateway.WithDefaultModel(c.Model),
		gateway.WithModelSettings(c.modelSettings()),
		gateway.WithFallbacks(c.Fallback),
		gateway.WithSignatures(gateway.SignatureMode(c.Signatures)),
		gateway.WithSignatureMemory(c.SignatureLength, int(c.SignatureMemory)),
		gateway.WithChatReasoning(gateway.ChatReasoning(c.ChatReasoning)),
		gateway.WithHeartbeat(gateway.HeartbeatMode(c.Heartbeat), time.Duration(c.HeartbeatEvery)),
		gateway.WithFirstChunkWait(c.grace()),
		gateway.WithTokenCount(gateway.CountMode(c.CountTokens)),
		gateway.WithStorageAtGoogle(gemini.Storage(c.StoreAtGoogle)),
		gateway.WithMaxBodySize(int64(c.MaxBodySize)),
		gateway.WithMaxBytesInFlight(int64(c.MaxBytesInFlight)),
		gateway.WithMaxAnswerSize(int64(c.MaxAnswerSize)),
		gateway.WithBackgroundPerClient(c.BackgroundPerClient),
		gateway.WithMaxConcurrent(c.MaxConcurrent),
		gateway.WithQueueWait(time.Duration(c.QueueWait)),
		gateway.WithBodyTimeout(time.Duration(c.BodyTimeout)),
		gateway.WithBodyRate(int64(c.BodyRate)),
		gateway.WithWriteTimeout(time.Duration(c.WriteTimeout)),
		gateway.WithAllowedHosts(c.AllowedHosts...),
		gateway.WithAllowedOrigins(c.AllowedOrigins...),
	}
	card, err := c.card()
	if err != nil {
		return nil, err
	}
	opts = append(opts, gateway.WithRateCard(card))
	prompt, err := c.compactionPrompt()
	if err != nil {
		return nil, fmt.Errorf("config: compaction_prompt: %w", err)
	}
	opts = append(opts, gateway.WithCompactionPrompt(prompt))
	if c.CostInUsage {
		opts = append(opts, gateway.WithCostInUsage())
	}
	opts = append(opts, c.budgetOptions()...)
	if c.HasKeyFile() {
		keys, err := clientkey.ReadFile(c.KeyFile)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("config: key_file: %w; gemwire keys new NAME --key-file %s makes it",
				err, c.KeyFile)
		}
		if err != nil {
			return nil, fmt.Errorf("config: key_file: %w", err)
		}
		opts = append(opts, gateway.WithClientKeys(keys))
	}
	if c.Strict {
		opts = append(opts, gateway.WithStrict())
	}
	if c.DoneMark {
		opts = append(opts, gateway.WithDoneMark())
	}
	if !c.WebSocket {
		opts = append(opts, gateway.WithoutWebSockets())
	}
	if c.CallersKey {
		opts = append(opts, gateway.WithCallersKey())
	}
	return opts, nil
}

// errNotText is the reason why a file cannot be sent to a model.
var errNotText = errors.New("is not text in UTF-8")

// compactionPrompt returns the text of its file, or "".
func (c *Config) compactionPrompt() (string, error) {
	if c.CompactionPrompt == "" {
		return "", nil
	}
	text, err := os.ReadFile(c.CompactionPrompt)
	if err == nil && !utf8.Valid(text) {
		err = fmt.Errorf("%s %w", c.CompactionPrompt, errNotText)
	}
	return string(text), err
}

// card returns the rate card: the built-in prices, overridden by the configured ones.
func (c *Config) card() (*ratecard.Card, error) {
	card := ratecard.Google()
	if c.RateCard == "" {
		return card, nil
	}
	own, err := ratecard.ReadFile(c.RateCard)
	if err != nil {
		return nil, fmt.Errorf("config: rate_card: %w", err)
	}
	return card.With(own), nil
}

// allModels is the key in models for models without an entry.
const allModels = "default"

func (c *Config) modelSettings() map[string]gateway.ModelSettings {
	out := make(map[string]gateway.ModelSettings, len(c.Models))
	for name, limits := range c.Models {
		if name == allModels {
			name = ""
		}
		out[name] = gateway.ModelSettings{
			FirstByte: time.Duration(limits.FirstByte), Idle: time.Duration(limits.Idle),
			Overall: time.Duration(limits.Overall),
		}
	}
	return out
}

// Service returns the upstream service: the configured service, or the service with credentials.
func (c *Config) Service() gateway.Service {
	switch {
	case c.Upstream != "":
		return gateway.Service(c.Upstream)
	case c.Vertex != "":
		return gateway.VertexAI
	case len(c.Accounts) > 0, c.BaseURL != "", c.CallersKey, c.APIKeyFile != "",
		c.environmentKey() != "":
		return gateway.GeminiAPI
	default:
		return gateway.Embedded
	}
}

// environmentKey returns the key from the environment variables that all commands use.
func (c *Config) environmentKey() string {
	if c.Upstream == string(gateway.OpenAI) {
		key, _ := c.lookupEnv("OPENAI_API_KEY")
		return strings.TrimSpace(key)
	}
	key, _ := c.lookupEnv("GEMINI_API_KEY")
	other, _ := c.lookupEnv("GOOGLE_API_KEY")
	return strings.TrimSpace(cmp.Or(key, other))
}

func (c *Config) upstream() (gateway.Upstream, error) {
	out := gateway.Upstream{
		Service: c.Service(), BaseURL: c.BaseURL, APIVersion: c.APIVersion,
		Extensions: c.Extensions, AccumulatedDeltas: c.AccumulatedDeltas,
		OlderServer:     c.OlderServer,
		EffortWithTools: c.EffortWithTools,
		API:             gateway.UpstreamAPI(c.UpstreamAPI),
	}
	var err error
	switch out.Service {
	case gateway.Embedded:
		if c.BaseURL != "" {
			return out, errors.New("config: upstream embedded takes no base_url, because it is part of the gateway")
		}
		return gateway.Upstream{API: out.API}, nil
	case gateway.VertexAI:
		out.Accounts, err = c.vertexAccounts()
	default:
		out.Accounts, err = c.keyAccounts()
	}
	return out, err
}

// vertexAccounts returns an account for each project, all with the machine's credentials.
func (c *Config) vertexAccounts() ([]gateway.Account, error) {
	projects := c.Accounts
	if c.Vertex != "" {
		projects = []Account{{Project: c.Vertex}}
	}
	if len(projects) == 0 {
		return nil, errors.New("config: upstream vertex needs a project; set vertex, or accounts for several")
	}
	source, err := vertexauth.New()
	if err != nil {
		return nil, fmt.Errorf("config: %w", err)
	}
	var out []gateway.Account
	for _, account := range projects {
		out = append(out,
			gateway.VertexAccount(account.Project, cmp.Or(account.Location, c.Location), source))
	}
	return out, nil
}

// keyAccounts returns the accounts of API keys. If callers send their own keys, there may be none.
func (c *Config) keyAccounts() ([]gateway.Account, error) {
	keys, err := c.keys()
	if err != nil {
		return nil, err
	}
	// some of these servers need no key
	if len(keys) == 0 && !c.CallersKey && c.Service() != gateway.OpenAI {
		return nil, errors.New("config: no API key; set GEMINI_API_KEY, or name a file with a key in api_key_file")
	}
	var out []gateway.Account
	for _, key := range keys {
		out = append(out, gateway.KeyAccount(key.project, key.secret))
	}
	return out, nil
}

// key is an API key with its project.
type key struct{ project, secret string }

// onlyProject names the quota of a single key in logs and metrics.
const onlyProject = "default"

// String returns the project only.
func (k key) String() string { return "key of " + k.project }

// GoString returns the same text as String, for %#v.
func (k key) GoString() string { return k.String() }

// Secrets returns the API keys, so that callers can remove them from output.
func (c *Config) Secrets() ([]string, error) {
	keys, err := c.keys()
	out := make([]string, len(keys))
	for i, key := range keys {
		out[i] = key.secret
	}
	return out, err
}

// keys returns the API keys of the settings.
func (c *Config) keys() ([]key, error) {
	switch service := c.Service(); {
	case service == gateway.Embedded || service == gateway.VertexAI:
		return nil, nil
	case len(c.Accounts) > 0:
		return c.accountKeys()
	case c.APIKeyFile != "":
		secret, err := readKey(c.APIKeyFile)
		return []key{{onlyProject, secret}}, err
	case c.CallersKey || c.environmentKey() == "":
		return nil, nil
	default:
		return []key{{onlyProject, c.environmentKey()}}, nil
	}
}

func (c *Config) accountKeys() ([]key, error) {
	var out []key
	for i, account := range c.Accounts {
		secret, err := c.keyOf(account)
		if err != nil {
			return nil, fmt.Errorf("config: accounts/%d: %w", i, err)
		}
		out = append(out, key{account.Project, secret})
	}
	return out, nil
}

func (c *Config) keyOf(account Account) (string, error) {
	if account.KeyFile != "" {
		return readKey(account.KeyFile)
	}
	found := reference.FindStringSubmatch(account.Key)
	if found == nil {
		return "", errors.New("the account needs key or key_file")
	}
	secret, _ := c.lookupEnv(found[1])
	if secret = strings.TrimSpace(secret); secret == "" {
		return "", fmt.Errorf("the environment variable %s is not set", found[1])
	}
	return secret, nil
}

// readKey reads a file that contains one word, the key. Errors do not quote it.
func readKey(path string) (string, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return "", fmt.Errorf("config: %w", err)
	}
	secret := string(bytes.TrimSpace(data))
	if secret == "" || strings.ContainsAny(secret, " \r\n\t") {
		return "", fmt.Errorf("config: %s does not contain an API key; expected one word", path)
	}
	return secret, nil
}

const (
	// Load balancers close connections that are silent for 60 s, and some clients after 20 s.
	graceBehindProxies = 5 * time.Second
	// Agents on this machine wait longer. Most of them repeat a request after an error status, but
	// not after an error in a stream.
	graceOnLoopback = time.Minute
)

// grace returns how long a stream waits for its first chunk.
func (c *Config) grace() time.Duration {
	if c.Grace > 0 {
		return time.Duration(c.Grace)
	}
	host, _, err := net.SplitHostPort(c.Addr)
	if err != nil {
		return graceBehindProxies
	}
	if ip, err := netip.ParseAddr(host); host == "localhost" || err == nil && ip.IsLoopback() {
		return graceOnLoopback
	}
	return graceBehindProxies
}
