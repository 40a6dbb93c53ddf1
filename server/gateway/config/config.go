package config

import (
	"time"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/server/gateway"
	"github.com/gemwire/gemwire/server/gateway/responsestore"
	usage "github.com/gemwire/gemwire/server/usage/row"
)

// Config is the configuration of a gateway. [Load] makes it. The struct tags describe each setting;
// the flags, the schema and docs/reference/settings.md use these descriptions. A Config contains no
// secret.
type Config struct {
	Schema string `json:"$schema,omitzero" jsonschema_description:"The JSON Schema of this file, for editors."`

	Addr string `json:"addr,omitzero" jsonschema_description:"Address to listen on, as host and port. An address that other machines can reach requires client keys (key_file) or callers_key."`

	Upstream          string    `json:"upstream,omitzero" validate:"omitempty,oneof=embedded gemini vertex vertex-express openai" jsonschema_description:"Server that answers: embedded, gemini, vertex, vertex-express or openai. They are the built-in fake server, the Gemini API, Vertex AI with a project or with an API key, and any server of OpenAI's chat_completions. The default is the service that has credentials, or else embedded."`
	BaseURL           string    `json:"base_url,omitzero" jsonschema_description:"URL of another server of the same API, without the version. For openai it is the URL before /chat/completions, and is required."`
	Extensions        bool      `json:"extensions,omitzero" jsonschema_description:"Send members to the openai server that only gemwire and Google know. Other servers refuse them."`
	AccumulatedDeltas bool      `json:"accumulated_deltas,omitzero" jsonschema_description:"Expect the openai server to repeat the whole text in each stream delta. Most servers send only the new text."`
	OlderServer       bool      `json:"older_server,omitzero" jsonschema_description:"Send max_tokens to the openai server, as Ollama and Mistral expect. It gets neither max_completion_tokens nor allowed_tools; only the functions that may be called are sent."`
	EffortWithTools   bool      `json:"effort_with_tools,omitzero" jsonschema_description:"Send functions to the openai server with any reasoning effort. Without it, models from GPT-5.6 on get functions with the effort none, because OpenAI refuses any other."`
	UpstreamAPI       string    `json:"upstream_api,omitzero" validate:"omitempty,oneof=auto generate_content interactions" jsonschema_description:"Upstream API: auto, generate_content or interactions. auto uses the Interactions API for models and agents that exist only there."`
	APIVersion        string    `json:"api_version,omitzero" jsonschema_description:"Version in the URLs of the API, such as v1beta."`
	APIKeyFile        string    `json:"api_key_file,omitzero" jsonschema_description:"File with the API key of the upstream. Without it and without accounts, the key comes from GEMINI_API_KEY or GOOGLE_API_KEY, and for openai from OPENAI_API_KEY."`
	Vertex            string    `json:"vertex,omitzero" jsonschema_description:"Project of Vertex AI to call. The credentials are the machine's Application Default Credentials."`
	Location          string    `json:"location,omitzero" jsonschema_description:"Location of Vertex AI to call."`
	Accounts          []Account `json:"accounts,omitzero" validate:"dive" jsonschema_description:"List of credentials. When one has no quota left, it is paused and the next one is used."`
	CallersKey        bool      `json:"callers_key,omitzero" jsonschema_description:"Call Gemini with the key that the caller sends."`
	StoreAtGoogle     string    `json:"store_at_google,omitzero" validate:"omitempty,oneof=off on project" jsonschema_description:"Let Google store requests: off, on or project. With project, the setting of the Google project applies. The member store of a request takes precedence. Vertex AI and openai servers do not receive the member."`

	Model            string                 `json:"model,omitzero" jsonschema_description:"Model for requests without a model; may be an alias."`
	Alias            map[string]string      `json:"alias,omitzero" jsonschema_description:"Other names for models of the upstream. A client that requests an alias finds the alias in the answer. A name with * is a pattern, such as gemini-*; the longest pattern wins."`
	Fallback         map[string][]string    `json:"fallback,omitzero" jsonschema_description:"Fallback models to try, in order, if a model cannot answer."`
	Models           map[string]ModelLimits `json:"models,omitzero" validate:"dive" jsonschema_description:"Time limits for models of the upstream. The name default applies to all models without an entry."`
	MaxAttempts      int                    `json:"max_attempts,omitzero" validate:"gte=0" jsonschema_description:"Maximum attempts for a model that fails, including the first. Clients retry too."`
	CompactionPrompt string                 `json:"compaction_prompt,omitzero" jsonschema_description:"File with the text that asks a model for the summary of a conversation."`
	RetryMalformed   int                    `json:"retry_malformed,omitzero" validate:"gte=0,lte=3" jsonschema_description:"Retries after a malformed call or an empty answer, 0 to 3."`

	KeyFile        string   `json:"key_file,omitzero" jsonschema_description:"File of client keys, or store for keys in the store. With it, every request needs one of the keys. A change takes effect within seconds."`
	AllowedHosts   []string `json:"allowed_hosts,omitzero" jsonschema_description:"Additional host names for the gateway, such as gateway.example.com."`
	AllowedOrigins []string `json:"allowed_origins,omitzero" jsonschema_description:"Web origins whose pages may call the gateway, such as https://app.example.test."`

	Strict          bool     `json:"strict,omitzero" jsonschema_description:"Refuse every request that would lose anything in conversion."`
	Signatures      string   `json:"signatures,omitzero" validate:"omitempty,oneof=extension id both" jsonschema_description:"Transport of thought signatures: extension, id or both. extension uses extra_content, which some clients drop; id uses the ids of calls."`
	SignatureMemory Size     `json:"signature_memory,omitzero" jsonschema_description:"Maximum memory for signatures that do not fit into an id."`
	SignatureLength int      `json:"signature_length,omitzero" validate:"gte=0" jsonschema_description:"Maximum length of an id with its signature, in characters."`
	ChatReasoning   string   `json:"chat_reasoning,omitzero" validate:"omitempty,oneof=auto always never" jsonschema_description:"Who gets thoughts in chat_completions: auto, always or never. auto means clients that display thoughts and request a reasoning effort."`
	Heartbeat       string   `json:"heartbeat,omitzero" validate:"omitempty,oneof=comment chunk off" jsonschema_description:"Heartbeat of a silent stream: comment, chunk or off. Clients ignore a comment; a chunk is empty."`
	HeartbeatEvery  Duration `json:"heartbeat_every,omitzero" jsonschema_description:"Interval between heartbeats of a silent stream."`
	Grace           Duration `json:"grace,omitzero" jsonschema_description:"How long a stream waits for the first chunk before it begins. A failure within that time has an HTTP status. The default is 60s if the gateway listens on this machine only, else 5s."`
	CountTokens     string   `json:"count_tokens,omitzero" validate:"omitempty,oneof=gemini estimate" jsonschema_description:"How to count tokens for clients: gemini or estimate. gemini makes a call; estimate makes none."`
	DoneMark        bool     `json:"done_mark,omitzero" jsonschema_description:"End streams of the Responses API with [DONE]. Open Responses requires it; OpenAI's own server does not send it."`
	WebSocket       bool     `json:"websocket,omitzero" jsonschema_description:"Serve the Responses API by WebSocket too. With false, clients get 426 and use HTTP. Set it to false behind a proxy that does not pass WebSockets on."`

	Store          string   `json:"store,omitzero" jsonschema_description:"Where to keep data: memory, a folder, or URLs of NATS servers. The URLs are such as nats://a:4222,nats://b:4222, and the servers need JetStream. Files and batches need a folder or servers. Without it nothing is kept."`
	StoreRequired  bool     `json:"store_required,omitzero" jsonschema_description:"Do not start without the store. With false, a gateway without its store answers the requests that need none, and the others with 503 until the store is back."`
	StoreKeyFile   string   `json:"store_key_file,omitzero" jsonschema_description:"File with the key that encrypts the store in a folder. Servers encrypt by their own settings."`
	StoreReplicas  int      `json:"store_replicas,omitzero" validate:"gte=0" jsonschema_description:"Number of NATS servers that hold each message. A cluster of three servers needs 3 to survive the loss of one."`
	StoreCount     int      `json:"store_count,omitzero" validate:"gte=0" jsonschema_description:"Maximum number of documents of a client key. Documents are responses and conversations. The oldest are removed first."`
	StoreSize      Size     `json:"store_size,omitzero" jsonschema_description:"Maximum size of the documents of a client key. The oldest are removed first."`
	StoreTotalSize Size     `json:"store_total_size,omitzero" jsonschema_description:"Maximum size of the documents of all client keys. A write above it removes only data of its own key, or is refused."`
	StoreAge       Duration `json:"store_age,omitzero" jsonschema_description:"How long a response is stored unless another one continues it."`

	UsageDays          int         `json:"usage_days,omitzero" validate:"gte=0" jsonschema_description:"How many days the usage of client keys is kept."`
	Budget             MoneyBudget `json:"budget,omitzero" jsonschema_description:"Maximum cost of all requests, such as 50USD/month. The period is day, week, month or total. A request above it is refused with 429. Budgets of single keys are in key_file."`
	TokenBudget        TokenBudget `json:"token_budget,omitzero" jsonschema_description:"Maximum tokens of all requests, such as 1000000/day. The period is day, week, month or total."`
	Unpriced           string      `json:"unpriced,omitzero" validate:"omitempty,oneof=allow refuse" jsonschema_description:"Requests without a price, if a budget applies: allow or refuse. The budget does not count them."`
	LimitsWithoutStore string      `json:"limits_without_store,omitzero" validate:"omitempty,oneof=local refuse" jsonschema_description:"Limits while the store does not answer: local or refuse. With local each gateway counts for itself; with refuse it answers 503."`

	BulkConcurrency       int `json:"bulk_concurrency,omitzero" validate:"gte=0" jsonschema_description:"Maximum number of batch requests in flight."`
	BulkLimitRequests     int `json:"bulk_limit_requests,omitzero" validate:"gte=0" jsonschema_description:"Maximum batch requests per minute, over all workers (0: no limit)."`
	BulkLimitTokens       int `json:"bulk_limit_tokens,omitzero" validate:"gte=0" jsonschema_description:"Maximum input tokens of batches per minute, over all workers (0: no limit)."`
	BulkLimitOutputTokens int `json:"bulk_limit_output_tokens,omitzero" validate:"gte=0" jsonschema_description:"Maximum output tokens of batches per minute, over all workers (0: no limit)."`

	MaxBodySize         Size     `json:"max_body_size,omitzero" jsonschema_description:"Maximum size of a request body. A larger body is refused with 413."`
	MaxBytesInFlight    Size     `json:"max_bytes_in_flight,omitzero" jsonschema_description:"Maximum total size of all request bodies in flight. One client gets at most half. Lower it if memory is short."`
	MaxAnswerSize       Size     `json:"max_answer_size,omitzero" jsonschema_description:"Maximum size of an answer from the upstream. Downloads of files have no limit."`
	BackgroundPerClient int      `json:"background_per_client,omitzero" validate:"gte=0" jsonschema_description:"Maximum number of background responses for each client key. All keys together have 100."`
	MaxConcurrent       int      `json:"max_concurrent,omitzero" validate:"gte=0" jsonschema_description:"Maximum number of requests that are served at a time (0: no limit). Set it to what the machine can serve; further requests wait. Uploads have the same number of separate slots."`
	QueueWait           Duration `json:"queue_wait,omitzero" jsonschema_description:"How long a request waits for a slot or for memory. Then it is refused with 429. Raise it for short bursts; with 0 no request waits."`
	BodyTimeout         Duration `json:"body_timeout,omitzero" jsonschema_description:"How long a request body may stall, including uploads. Then it is refused with 408. Raise it for unreliable networks."`
	BodyRate            Size     `json:"body_rate,omitzero" jsonschema_description:"Minimum bytes of a body per second, averaged over body_timeout. Lower it for slow networks."`
	WriteTimeout        Duration `json:"write_timeout,omitzero" jsonschema_description:"How long a client may read nothing of an answer. Then the connection is closed."`
	HeaderTimeout       Duration `json:"header_timeout,omitzero" jsonschema_description:"How long the header of a request may take to arrive. Then the connection is closed."`
	IdleTimeout         Duration `json:"idle_timeout,omitzero" jsonschema_description:"How long an idle connection stays open. Keep it above the idle timeout of a load balancer."`

	RateCard    string `json:"rate_card,omitzero" jsonschema_description:"File with your own prices, which override the built-in ones."`
	CostInUsage bool   `json:"cost_in_usage,omitzero" jsonschema_description:"Add the cost to the usage in answers."`

	Inspect          bool   `json:"inspect,omitzero" jsonschema_description:"Serve the inspector, a page that shows each request."`
	InspectAddr      string `json:"inspect_addr,omitzero" jsonschema_description:"Address of the inspector, as host and port."`
	InspectBodies    bool   `json:"inspect_bodies,omitzero" jsonschema_description:"Record bodies in the inspector from the start, without keys. They are in memory only, unless inspect_store is set."`
	InspectStore     string `json:"inspect_store,omitzero" jsonschema_description:"Folder that keeps the inspector's requests and sessions over restarts. It holds what users write. Without it they are in memory only."`
	InspectCount     int    `json:"inspect_count,omitzero" validate:"gte=0" jsonschema_description:"Maximum number of requests that the inspector keeps. The oldest are dropped first."`
	InspectMaxMemory Size   `json:"inspect_max_memory,omitzero" jsonschema_description:"Maximum total size of what the inspector keeps. The oldest requests are dropped first."`
	InspectMaxBody   Size   `json:"inspect_max_body,omitzero" jsonschema_description:"Maximum size of a body in the inspector, without media. The end of a larger body is left out."`
	InspectMaxString Size   `json:"inspect_max_string,omitzero" jsonschema_description:"Maximum size of a string in a body in the inspector. The default is inspect_max_body."`

	Metrics     bool   `json:"metrics,omitzero" jsonschema_description:"Serve metrics for Prometheus at /metrics."`
	MetricsAddr string `json:"metrics_addr,omitzero" jsonschema_description:"Separate address for /metrics, as host and port."`

	LogLevel  string `json:"log_level,omitzero" validate:"omitempty,oneof=debug info warn error" jsonschema_description:"Minimum level of log lines. Served requests have the level info."`
	LogFormat string `json:"log_format,omitzero" validate:"omitempty,oneof=text json" jsonschema_description:"Format of log lines: text or json."`

	ShutdownGrace Duration `json:"shutdown_grace,omitzero" jsonschema_description:"How long streams may continue during shutdown."`
	ShutdownDelay Duration `json:"shutdown_delay,omitzero" jsonschema_description:"How long requests are still accepted during shutdown. /readyz fails during this time, so that load balancers stop sending requests."`

	lookupEnv func(string) (string, bool)
	origins   origins
}

// Account is a credential of the upstream.
type Account struct {
	Project  string `json:"project,omitzero" jsonschema_description:"Project that owns the quota. For Vertex AI it is the project id, otherwise any name that keys of one project share."`
	Location string `json:"location,omitzero" jsonschema_description:"Location of Vertex AI to call."`
	Key      string `json:"key,omitzero" jsonschema_description:"Environment variable with the API key, as ${NAME}."`
	KeyFile  string `json:"key_file,omitzero" jsonschema_description:"File with the API key."`
}

// ModelLimits are the time limits of a model.
type ModelLimits struct {
	FirstByte Duration `json:"first_byte,omitzero" jsonschema_description:"How long a stream may take until its first chunk."`
	Idle      Duration `json:"idle,omitzero" jsonschema_description:"How long a stream may be silent after its first chunk."`
	Overall   Duration `json:"overall,omitzero" jsonschema_description:"How long a request may take, including all attempts."`
}

// Defaults that other packages use.
const (
	// DefaultAddr is reachable from this machine only.
	DefaultAddr = "127.0.0.1:8080"
	// DefaultInspectAddr is reachable from this machine only.
	DefaultInspectAddr = "127.0.0.1:8081"
	// The defaults of the inspector hold a day of a coding agent; see package inspector.
	DefaultInspectCount     = 10_000
	DefaultInspectMaxMemory = 256 << 20
	DefaultInspectMaxBody   = 1 << 20
	// DefaultBulkConcurrency leaves most processors to interactive clients.
	DefaultBulkConcurrency = 16
)

// Default returns the default settings.
func Default() *Config {
	return &Config{
		Addr: DefaultAddr, MaxAttempts: 2, RetryMalformed: 1, UpstreamAPI: string(gateway.APIByModel),
		Signatures: string(gateway.SignaturesInBoth), SignatureMemory: 32 << 20,
		SignatureLength: 4 << 10, ChatReasoning: string(gateway.ChatReasoningAuto),
		Heartbeat:           string(gateway.HeartbeatComment),
		StoreAtGoogle:       string(gemini.StorageOff),
		HeartbeatEvery:      Duration(10 * time.Second),
		CountTokens:         string(gateway.CountByGemini),
		WebSocket:           true,
		StoreRequired:       true,
		StoreReplicas:       1,
		StoreCount:          responsestore.DefaultCount,
		StoreSize:           responsestore.DefaultBytes,
		StoreTotalSize:      responsestore.DefaultTotalBytes,
		StoreAge:            Duration(responsestore.DefaultAge),
		UsageDays:           usage.DefaultDays,
		Unpriced:            policyRefuse,
		LimitsWithoutStore:  policyLocal,
		BulkConcurrency:     DefaultBulkConcurrency,
		MaxBodySize:         gateway.DefaultMaxBodySize,
		MaxBytesInFlight:    gateway.DefaultMaxBytesInFlight,
		MaxAnswerSize:       gateway.DefaultMaxAnswerSize,
		BackgroundPerClient: gateway.DefaultBackgroundPerClient,
		QueueWait:           Duration(gateway.DefaultQueueWait),
		BodyTimeout:         Duration(gateway.DefaultBodyTimeout),
		BodyRate:            gateway.DefaultBodyRate,
		WriteTimeout:        Duration(gateway.DefaultWriteTimeout),
		HeaderTimeout:       Duration(30 * time.Second), IdleTimeout: Duration(3 * time.Minute),
		InspectAddr: DefaultInspectAddr, InspectCount: DefaultInspectCount,
		InspectMaxMemory: DefaultInspectMaxMemory, InspectMaxBody: DefaultInspectMaxBody,
		Metrics: true, LogLevel: "info", LogFormat: "text",
		ShutdownGrace: Duration(30 * time.Second), // the default of Kubernetes
	}
}
