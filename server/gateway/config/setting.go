package config

import (
	"slices"
	"strings"

	"github.com/gemwire/gemwire/internal/document"
	"github.com/gemwire/gemwire/pkg/gemini/models"
)

// Setting is one of the names that a configuration has.
type Setting struct {
	// Name is the name in files, such as "max_body_size".
	Name string
	// Takes is the placeholder for the value in help texts, such as "SIZE". It is "" for a switch.
	Takes string
	// value returns the field that holds the setting. It is nil for a file-only setting.
	value func(*Config) Value
}

// settings are all names, in the order of [Config].
var settings = []Setting{
	{"$schema", "", nil},
	{"addr", "HOST:PORT", func(c *Config) Value { return (*text)(&c.Addr) }},
	{"upstream", "NAME", func(c *Config) Value {
		return word{&c.Upstream,
			[]string{"embedded", "gemini", "vertex", "vertex-express", "openai"}}
	}},
	{"base_url", "URL", func(c *Config) Value { return (*text)(&c.BaseURL) }},
	{"extensions", "", func(c *Config) Value { return (*flag)(&c.Extensions) }},
	{"accumulated_deltas", "", func(c *Config) Value { return (*flag)(&c.AccumulatedDeltas) }},
	{"older_server", "", func(c *Config) Value { return (*flag)(&c.OlderServer) }},
	{"effort_with_tools", "", func(c *Config) Value { return (*flag)(&c.EffortWithTools) }},
	{"upstream_api", "API", func(c *Config) Value {
		return word{&c.UpstreamAPI, []string{"auto", "generate_content", "interactions"}}
	}},
	{"api_version", "VERSION", func(c *Config) Value { return (*text)(&c.APIVersion) }},
	{"api_key_file", "FILE", func(c *Config) Value { return (*text)(&c.APIKeyFile) }},
	{"vertex", "PROJECT", func(c *Config) Value { return (*text)(&c.Vertex) }},
	{"location", "LOCATION", func(c *Config) Value { return (*text)(&c.Location) }},
	{"accounts", "", nil},
	{"callers_key", "", func(c *Config) Value { return (*flag)(&c.CallersKey) }},
	{"store_at_google", "WAY",
		func(c *Config) Value { return word{&c.StoreAtGoogle, []string{"off", "on", "project"}} }},
	{"model", "MODEL", func(c *Config) Value { return (*text)(&c.Model) }},
	{"alias", "NAME=MODEL", func(c *Config) Value { return (*table)(&c.Alias) }},
	{"fallback", "MODEL=MODEL+MODEL", func(c *Config) Value { return (*chains)(&c.Fallback) }},
	{"models", "", nil},
	{"max_attempts", "N", func(c *Config) Value { return (*number)(&c.MaxAttempts) }},
	{"compaction_prompt", "FILE", func(c *Config) Value { return (*text)(&c.CompactionPrompt) }},
	{"retry_malformed", "N", func(c *Config) Value { return (*repeats)(&c.RetryMalformed) }},
	{"key_file", "FILE|store", func(c *Config) Value { return (*text)(&c.KeyFile) }},
	{"allowed_hosts", "HOST,HOST", func(c *Config) Value { return (*list)(&c.AllowedHosts) }},
	{"allowed_origins", "ORIGIN,ORIGIN",
		func(c *Config) Value { return (*list)(&c.AllowedOrigins) }},
	{"strict", "", func(c *Config) Value { return (*flag)(&c.Strict) }},
	{"signatures", "WAY",
		func(c *Config) Value { return word{&c.Signatures, []string{"extension", "id", "both"}} }},
	{"signature_memory", "SIZE", func(c *Config) Value { return &c.SignatureMemory }},
	{"signature_length", "N", func(c *Config) Value { return (*number)(&c.SignatureLength) }},
	{"chat_reasoning", "WHO",
		func(c *Config) Value { return word{&c.ChatReasoning, []string{"auto", "always", "never"}} }},
	{"heartbeat", "WAY",
		func(c *Config) Value { return word{&c.Heartbeat, []string{"comment", "chunk", "off"}} }},
	{"heartbeat_every", "TIME", func(c *Config) Value { return &c.HeartbeatEvery }},
	{"grace", "TIME", func(c *Config) Value { return &c.Grace }},
	{"count_tokens", "WAY",
		func(c *Config) Value { return word{&c.CountTokens, []string{"gemini", "estimate"}} }},
	{"done_mark", "", func(c *Config) Value { return (*flag)(&c.DoneMark) }},
	{"websocket", "", func(c *Config) Value { return (*flag)(&c.WebSocket) }},
	{"store", "memory|FOLDER|URLS", func(c *Config) Value { return (*text)(&c.Store) }},
	{"store_required", "", func(c *Config) Value { return (*flag)(&c.StoreRequired) }},
	{"store_key_file", "FILE", func(c *Config) Value { return (*text)(&c.StoreKeyFile) }},
	{"store_replicas", "N", func(c *Config) Value { return (*number)(&c.StoreReplicas) }},
	{"store_count", "N", func(c *Config) Value { return (*number)(&c.StoreCount) }},
	{"store_size", "SIZE", func(c *Config) Value { return &c.StoreSize }},
	{"store_total_size", "SIZE", func(c *Config) Value { return &c.StoreTotalSize }},
	{"store_age", "TIME", func(c *Config) Value { return &c.StoreAge }},
	{"usage_days", "N", func(c *Config) Value { return (*number)(&c.UsageDays) }},
	{"budget", "AMOUNT/PERIOD", func(c *Config) Value { return &c.Budget }},
	{"token_budget", "TOKENS/PERIOD", func(c *Config) Value { return &c.TokenBudget }},
	{"unpriced", "WAY",
		func(c *Config) Value { return word{&c.Unpriced, []string{policyAllow, policyRefuse}} }},
	{"limits_without_store", "WAY", func(c *Config) Value {
		return word{&c.LimitsWithoutStore, []string{policyLocal, policyRefuse}}
	}},
	{"bulk_concurrency", "N", func(c *Config) Value { return (*number)(&c.BulkConcurrency) }},
	{"bulk_limit_requests", "N", func(c *Config) Value { return (*number)(&c.BulkLimitRequests) }},
	{"bulk_limit_tokens", "N", func(c *Config) Value { return (*number)(&c.BulkLimitTokens) }},
	{"bulk_limit_output_tokens", "N",
		func(c *Config) Value { return (*number)(&c.BulkLimitOutputTokens) }},
	{"max_body_size", "SIZE", func(c *Config) Value { return &c.MaxBodySize }},
	{"max_bytes_in_flight", "SIZE", func(c *Config) Value { return &c.MaxBytesInFlight }},
	{"max_answer_size", "SIZE", func(c *Config) Value { return &c.MaxAnswerSize }},
	{"background_per_client", "N",
		func(c *Config) Value { return (*number)(&c.BackgroundPerClient) }},
	{"max_concurrent", "N", func(c *Config) Value { return (*number)(&c.MaxConcurrent) }},
	{"queue_wait", "TIME", func(c *Config) Value { return &c.QueueWait }},
	{"body_timeout", "TIME", func(c *Config) Value { return &c.BodyTimeout }},
	{"body_rate", "SIZE", func(c *Config) Value { return &c.BodyRate }},
	{"write_timeout", "TIME", func(c *Config) Value { return &c.WriteTimeout }},
	{"header_timeout", "TIME", func(c *Config) Value { return &c.HeaderTimeout }},
	{"idle_timeout", "TIME", func(c *Config) Value { return &c.IdleTimeout }},
	{"rate_card", "FILE", func(c *Config) Value { return (*text)(&c.RateCard) }},
	{"cost_in_usage", "", func(c *Config) Value { return (*flag)(&c.CostInUsage) }},
	{"inspect", "", func(c *Config) Value { return (*flag)(&c.Inspect) }},
	{"inspect_addr", "HOST:PORT", func(c *Config) Value { return (*text)(&c.InspectAddr) }},
	{"inspect_bodies", "", func(c *Config) Value { return (*flag)(&c.InspectBodies) }},
	{"inspect_store", "FOLDER", func(c *Config) Value { return (*text)(&c.InspectStore) }},
	{"inspect_count", "N", func(c *Config) Value { return (*number)(&c.InspectCount) }},
	{"inspect_max_memory", "SIZE", func(c *Config) Value { return &c.InspectMaxMemory }},
	{"inspect_max_body", "SIZE", func(c *Config) Value { return &c.InspectMaxBody }},
	{"inspect_max_string", "SIZE", func(c *Config) Value { return &c.InspectMaxString }},
	{"metrics", "", func(c *Config) Value { return (*flag)(&c.Metrics) }},
	{"metrics_addr", "HOST:PORT", func(c *Config) Value { return (*text)(&c.MetricsAddr) }},
	{"log_level", "LEVEL",
		func(c *Config) Value { return word{&c.LogLevel, []string{"debug", "info", "warn", "error"}} }},
	{"log_format", "FORMAT",
		func(c *Config) Value { return word{&c.LogFormat, []string{"text", "json"}} }},
	{"shutdown_grace", "TIME", func(c *Config) Value { return &c.ShutdownGrace }},
	{"shutdown_delay", "TIME", func(c *Config) Value { return &c.ShutdownDelay }},
}

// wants says what the value of a setting has to be in a file, by [Setting.Takes].
var wants = map[string]string{
	"HOST:PORT":  wantAddress,
	"URL":        `a URL, for example "https://server.example/v1"`,
	"VERSION":    `a version, for example "v1beta"`,
	"PROJECT":    `the name of a project, for example "my-project"`,
	"LOCATION":   `a location, for example "global"`,
	"FILE":       `the path of a file, for example "/etc/gemwire/keys.yaml"`,
	"N":          wantNumber,
	"SIZE":       wantSize,
	"TIME":       wantDuration,
	"MODEL":      wantModel,
	"NAME=MODEL": "names with models, for example {fast: " + models.Default + "}",
	"MODEL=MODEL+MODEL": "models with lists of models, for example {" + models.Default +
		": [gemini-3.1-pro-preview]}",
	"HOST,HOST":     "a list of host names, for example [gateway.example.com]",
	"ORIGIN,ORIGIN": "a list of origins, for example [https://app.example.com]",
	"memory|FOLDER|URLS": `memory, a folder, or URLs of NATS servers, for example ` +
		`"/var/lib/gemwire/store"`,
	"FILE|store":    `the path of a file, or store, for example "/etc/gemwire/keys.yaml"`,
	"AMOUNT/PERIOD": "an amount with a currency and a period, for example 50USD/month",
	"TOKENS/PERIOD": "a number of tokens with a period, for example 1000000/day",
	"FOLDER":        `a folder, for example "/var/lib/gemwire/inspector"`,
}

const (
	wantAddress  = `"host:port", for example "` + DefaultAddr + `"`
	wantNumber   = "a whole number of at least 0, for example 4"
	wantSize     = "a size, for example 64MiB"
	wantDuration = "a duration, for example 10s or 1m30s"
	wantModel    = "the name of a model, for example " + models.Default
	wantText     = "a text"
)

// wanted says what the value of a file at a location has to be.
func wanted(pointer string) string {
	name, below, isBelow := strings.Cut(strings.TrimPrefix(pointer, "/"), "/")
	if isBelow {
		return wantedBelow(name, below[strings.LastIndexByte(below, '/')+1:], below)
	}
	switch name {
	case "":
		return "settings with their values, for example addr: " + DefaultAddr
	case "accounts":
		return `a list of accounts, for example [{project: team-a, key: "${GEMINI_API_KEY_A}"}]`
	case "models":
		return "models with limits, for example {default: {idle: 5m}}"
	}
	for _, s := range settings {
		if s.Name == name && s.value != nil {
			return s.wanted()
		}
	}
	return wantText
}

// wanted says what the value of the setting has to be in a file.
func (s Setting) wanted() string {
	if s.IsSwitch() {
		return "true or false"
	}
	if value, isWord := s.value(&Config{}).(word); isWord {
		return "one of " + strings.Join(value.words, ", ")
	}
	return wants[s.Takes]
}

// wantedBelow says what a value within a setting has to be. last is the last name of its location.
func wantedBelow(setting, last, below string) string {
	isEntry := !strings.Contains(below, "/")
	switch {
	case setting == "accounts" && isEntry:
		return `an account, for example {project: team-a, key: "${GEMINI_API_KEY_A}"}`
	case setting == "models" && isEntry:
		return "limits, for example {idle: 5m}"
	case setting == "models":
		return wantDuration
	case setting == "fallback" && isEntry:
		return "a list of models, for example [gemini-3.1-pro-preview]"
	case setting == "alias", setting == "fallback":
		return wantModel
	case setting == "accounts" && last == "key":
		return `a variable of the environment, for example "${GEMINI_API_KEY_A}"`
	default:
		return wantText
	}
}

// Settings returns all settings, in the order of [Config].
func Settings() []Setting { return slices.Clone(settings) }

// Flag returns the name of the flag, such as "max-body-size". It is "" for a file-only setting.
func (s Setting) Flag() string {
	if s.value == nil {
		return ""
	}
	return flagOf(s.Name)
}

func flagOf(name string) string { return strings.ReplaceAll(name, "_", "-") }

func variableOf(name string) string { return "GEMWIRE_" + strings.ToUpper(name) }

// Variable returns the name of the environment variable, such as "GEMWIRE_MAX_BODY_SIZE". It is ""
// for a file-only setting.
func (s Setting) Variable() string {
	if s.value == nil {
		return ""
	}
	return variableOf(s.Name)
}

// IsSwitch reports whether the setting is a boolean.
func (s Setting) IsSwitch() bool { return s.value != nil && s.Takes == "" }

// Of returns the setting's value in a configuration, as text.
func (s Setting) Of(c *Config) string {
	if s.value == nil {
		return ""
	}
	return s.value(c).String()
}

// Member names of other objects in a file.
var (
	accountNames = []string{"project", "location", "key", "key_file"}
	limitNames   = []string{"first_byte", "idle", "overall"}
)

// noSuchName begins the error for an unknown name.
const noSuchName = "unknown "

// unknownName returns the message for an unknown name in a file.
func unknownName(pointer string) string {
	names, what := namesAt(pointer)
	name := pointer[strings.LastIndexByte(pointer, '/')+1:]
	if advice := renamed(strings.ReplaceAll(name, "-", "_")); advice != "" {
		return noSuchName + what + " \"" + name + "\"; " + advice
	}
	reason := noSuchName + what + " \"" + name + "\""
	if meant := document.NearestName(strings.ReplaceAll(name, "-", "_"), names); meant != "" {
		return reason + "; did you mean \"" + meant + "\"?"
	}
	if len(names) <= len(accountNames) {
		return reason + "; expected one of " + strings.Join(names, ", ")
	}
	return reason
}

// namesAt returns the names that are valid in the object around a location, and the kind of name.
func namesAt(pointer string) (names []string, what string) {
	switch {
	case strings.HasPrefix(pointer, "/accounts/"):
		return accountNames, "member of an account"
	case strings.HasPrefix(pointer, "/models/"):
		return limitNames, "limit of a model"
	}
	for _, s := range settings {
		names = append(names, s.Name)
	}
	return names, "setting"
}
