package config

import (
	"time"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/server/gateway"
	"github.com/gemwire/gemwire/server/gateway/responsestore"
)

// Config is the configuration of a gateway. [Load] makes it. The struct tags describe each setting;
// the flags, the schema and docs/gateway.md use these descriptions. A Config contains no secret.
type Config struct {
	Schema string `json:"$schema,omitzero" jsonschema_description:"The JSON Schema of this file, for editors."`

	Addr string `json:"addr,omitzero" jsonschema_description:"Where to listen, as host and port. Beyond this machine, client keys are needed (key_file) or the callers' own (callers_key)."`

	Upstream          string    `json:"upstream,omitzero" validate:"omitempty,oneof=embedded gemini vertex vertex-express openai" jsonschema_description:"What answers: embedded, gemini, vertex, vertex-express or openai. That is the fake server that is built in, the Gemini API, Vertex AI for a project or by an API key, or a server of OpenAI's chat_completions; by default what there are credentials for, and else embedded."`
	BaseURL           string    `json:"base_url,omitzero" jsonschema_description:"Another server of the same API, by the address in front of the version. Of openai it is the server, by the address in front of /chat/completions."`
	Extensions        bool      `json:"extensions,omitzero" jsonschema_description:"Whether the server of openai knows the members that only gemwire and Google have. Others refuse them."`
	AccumulatedDeltas bool      `json:"accumulated_deltas,omitzero" jsonschema_description:"Whether the server of openai repeats all of a text in each delta of a stream. Others send what is new."`
	OlderServer       bool      `json:"older_server,omitzero" jsonschema_description:"Whether the server of openai takes max_tokens alone, as Ollama and Mistral's do. It gets no max_completion_tokens, and of the functions only those that may be called."`
	EffortWithTools   bool      `json:"effort_with_tools,omitzero" jsonschema_description:"Whether the server of openai takes functions with any reasoning effort. OpenAI's own takes them from GPT-5.6 on with the effort none alone, which is sent otherwise."`
	APIVersion        string    `json:"api_version,omitzero" jsonschema_description:"The version in the addresses of the API, such as v1beta."`
	APIKeyFile        string    `json:"api_key_file,omitzero" jsonschema_description:"A file that holds the API key of the upstream. Without it and without accounts the key is that of GEMINI_API_KEY or GOOGLE_API_KEY, and for openai that of OPENAI_API_KEY."`
	Vertex            string    `json:"vertex,omitzero" jsonschema_description:"The project of Vertex AI to call. Credentials are the Application Default Credentials of the machine."`
	Location          string    `json:"location,omitzero" jsonschema_description:"The location of Vertex AI to call."`
	Accounts          []Account `json:"accounts,omitzero" validate:"dive" jsonschema_description:"Several credentials. One that has no quota left rests, and the next is taken."`
	CallersKey        bool      `json:"callers_key,omitzero" jsonschema_description:"Whether Gemini is called by the key that the caller sends."`
	StoreAtGoogle     string    `json:"store_at_google,omitzero" validate:"omitempty,oneof=off on project" jsonschema_description:"Whether Google stores requests: off, on or project. The last is what the Google project is set to. A request that has the member store itself wins. Vertex AI and servers of openai are not asked."`

	Model       string                 `json:"model,omitzero" jsonschema_description:"The model for requests that name none; it may be an alias."`
	Alias       map[string]string      `json:"alias,omitzero" jsonschema_description:"Other names for models of the upstream. Who asks by an alias finds it in the answer."`
	Fallback    map[string][]string    `json:"fallback,omitzero" jsonschema_description:"Other models to ask, in this order, when one cannot answer."`
	Models      map[string]ModelLimits `json:"models,omitzero" validate:"dive" jsonschema_description:"Limits of time for models of the upstream. The name default is for all that have none of their own."`
	MaxAttempts int                    `json:"max_attempts,omitzero" validate:"gte=0" jsonschema_description:"How often a model is asked that fails. Clients try again by themselves."`

	KeyFile        string   `json:"key_file,omitzero" jsonschema_description:"The file of client keys. With it every request needs one of them."`
	AllowedHosts   []string `json:"allowed_hosts,omitzero" jsonschema_description:"Names of the gateway for clients, besides those of this machine."`
	AllowedOrigins []string `json:"allowed_origins,omitzero" jsonschema_description:"Web sites whose pages may call the gateway, such as https://app.example.test."`

	Strict          bool     `json:"strict,omitzero" jsonschema_description:"Whether a request of which anything would be lost is refused."`
	Signatures      string   `json:"signatures,omitzero" validate:"omitempty,oneof=extension id both" jsonschema_description:"How thought signatures travel: by extension, id or both. That is in extra_content, which some clients drop, or in the ids of calls."`
	SignatureMemory Size     `json:"signature_memory,omitzero" jsonschema_description:"The most bytes of signatures that are kept. They are those that do not fit into an id."`
	SignatureLength int      `json:"signature_length,omitzero" validate:"gte=0" jsonschema_description:"The most characters of an id with its signature."`
	Heartbeat       string   `json:"heartbeat,omitzero" validate:"omitempty,oneof=comment chunk off" jsonschema_description:"What keeps a silent stream alive: comment, chunk or off. That is a comment, which clients pass over, an empty chunk, or nothing."`
	HeartbeatEvery  Duration `json:"heartbeat_every,omitzero" jsonschema_description:"How often a silent stream is kept alive."`
	Grace           Duration `json:"grace,omitzero" jsonschema_description:"How long a stream waits for the first chunk before it begins. What fails within that time has an HTTP status."`
	CountTokens     string   `json:"count_tokens,omitzero" validate:"omitempty,oneof=gemini estimate" jsonschema_description:"How clients have tokens counted: gemini or estimate. That is by a call of Gemini, or by a guess without one."`
	DoneMark        bool     `json:"done_mark,omitzero" jsonschema_description:"Whether streams of the Responses API end with the mark [DONE]. Open Responses demands it; OpenAI's own server sends none."`

	ResponseStore      string   `json:"response_store,omitzero" jsonschema_description:"What keeps responses of the Responses API: memory, or a file by its path. Conversations are kept there too; without it nothing is."`
	ResponseStoreCount int      `json:"response_store_count,omitzero" validate:"gte=0" jsonschema_description:"The most responses that are kept. The oldest go first."`
	ResponseStoreSize  Size     `json:"response_store_size,omitzero" jsonschema_description:"The most bytes of responses that are kept."`
	ResponseStoreAge   Duration `json:"response_store_age,omitzero" jsonschema_description:"How long a response is kept that nothing continues."`

	BulkStore             string `json:"bulk_store,omitzero" jsonschema_description:"What keeps files and batches: a folder, or servers of NATS by their addresses. They are such as nats://a:4222,nats://b:4222, and have JetStream. Without either there are no batches."`
	BulkConcurrency       int    `json:"bulk_concurrency,omitzero" validate:"gte=0" jsonschema_description:"The most requests of batches that are asked at the same time."`
	BulkLimitRequests     int    `json:"bulk_limit_requests,omitzero" validate:"gte=0" jsonschema_description:"The most requests of batches a minute, of all workers (0: any)."`
	BulkLimitTokens       int    `json:"bulk_limit_tokens,omitzero" validate:"gte=0" jsonschema_description:"The most tokens that batches send a minute, by all workers (0: any)."`
	BulkLimitOutputTokens int    `json:"bulk_limit_output_tokens,omitzero" validate:"gte=0" jsonschema_description:"The most tokens that batches have written a minute, by all workers (0: any)."`

	MaxBodySize         Size     `json:"max_body_size,omitzero" jsonschema_description:"The most bytes that the body of a request may have. A larger one is a 413."`
	MaxBytesInFlight    Size     `json:"max_bytes_in_flight,omitzero" jsonschema_description:"The most bytes of all bodies in flight together. One client holds at most half. Lower it where memory is short."`
	MaxAnswerSize       Size     `json:"max_answer_size,omitzero" jsonschema_description:"The most bytes of an answer from the upstream. Downloads of files have no limit."`
	BackgroundPerClient int      `json:"background_per_client,omitzero" validate:"gte=0" jsonschema_description:"The most background responses of one client key. All keys together have 100."`
	MaxConcurrent       int      `json:"max_concurrent,omitzero" validate:"gte=0" jsonschema_description:"The most requests that are served at the same time (0: any). Set it to what the machine can serve; further requests wait. Uploads have as many turns of their own."`
	QueueWait           Duration `json:"queue_wait,omitzero" jsonschema_description:"How long a request waits for its turn or for memory. Then it is a 429. Raise it for short bursts; with 0 no request waits."`
	BodyTimeout         Duration `json:"body_timeout,omitzero" jsonschema_description:"How long the body of a request or an upload may stall. Then it is a 408. Raise it for unreliable networks."`
	BodyRate            Size     `json:"body_rate,omitzero" jsonschema_description:"The fewest bytes of a body a second, averaged over body_timeout. Lower it for slow networks."`
	WriteTimeout        Duration `json:"write_timeout,omitzero" jsonschema_description:"How long a client may read nothing of an answer. Then the connection is closed."`
	HeaderTimeout       Duration `json:"header_timeout,omitzero" jsonschema_description:"How long the head of a request may take to arrive. Then the connection is closed."`
	IdleTimeout         Duration `json:"idle_timeout,omitzero" jsonschema_description:"How long a connection may wait for its next request. Keep it above that of a load balancer."`

	RateCard    string `json:"rate_card,omitzero" jsonschema_description:"A file of your own prices, which go before those that are built in."`
	CostInUsage bool   `json:"cost_in_usage,omitzero" jsonschema_description:"Whether usage in answers has what they cost."`

	Inspect       bool   `json:"inspect,omitzero" jsonschema_description:"Whether there is the inspector, a page that shows each request."`
	InspectAddr   string `json:"inspect_addr,omitzero" jsonschema_description:"Where the inspector listens, as host and port."`
	InspectBodies bool   `json:"inspect_bodies,omitzero" jsonschema_description:"Whether the inspector keeps bodies from the beginning. They are in memory alone, without keys."`

	Metrics     bool   `json:"metrics,omitzero" jsonschema_description:"Whether /metrics answers scrapes of Prometheus."`
	MetricsAddr string `json:"metrics_addr,omitzero" jsonschema_description:"Where /metrics listens, as host and port, when not beside the API."`

	LogLevel  string `json:"log_level,omitzero" validate:"omitempty,oneof=debug info warn error" jsonschema_description:"The least level that is logged. Requests that were served are of the level info."`
	LogFormat string `json:"log_format,omitzero" validate:"omitempty,oneof=text json" jsonschema_description:"How a line of the log is written."`

	ShutdownGrace Duration `json:"shutdown_grace,omitzero" jsonschema_description:"How long streams may go on when the gateway is told to end."`
	ShutdownDelay Duration `json:"shutdown_delay,omitzero" jsonschema_description:"How long requests are still taken at the end. /readyz fails meanwhile, so that load balancers send no more."`

	lookupEnv func(string) (string, bool)
}

// Account is a credential of the upstream.
type Account struct {
	Project  string `json:"project,omitzero" jsonschema_description:"The project whose quota it is: of Vertex AI the project's id, else any name, the same one for keys of one project."`
	Location string `json:"location,omitzero" jsonschema_description:"The location of Vertex AI to call."`
	Key      string `json:"key,omitzero" jsonschema_description:"The variable of the environment that has the API key, as ${NAME}."`
	KeyFile  string `json:"key_file,omitzero" jsonschema_description:"A file that holds the API key."`
}

// ModelLimits are the time limits of a model.
type ModelLimits struct {
	FirstByte Duration `json:"first_byte,omitzero" jsonschema_description:"How long a stream may take to its first chunk."`
	Idle      Duration `json:"idle,omitzero" jsonschema_description:"How long a stream may be silent behind that."`
	Overall   Duration `json:"overall,omitzero" jsonschema_description:"How long a request may take, with all attempts."`
}

// Defaults that other packages use.
const (
	// DefaultAddr is reachable from this machine only.
	DefaultAddr = "127.0.0.1:8080"
	// DefaultInspectAddr is reachable from this machine only.
	DefaultInspectAddr = "127.0.0.1:8081"
	// DefaultBulkConcurrency leaves most processors to interactive clients.
	DefaultBulkConcurrency = 16
)

// Default returns the default settings.
func Default() *Config {
	return &Config{
		Addr: DefaultAddr, MaxAttempts: 2,
		Signatures: string(gateway.SignaturesInBoth), SignatureMemory: 32 << 20,
		SignatureLength: 4 << 10, Heartbeat: string(gateway.HeartbeatComment),
		StoreAtGoogle:  string(gemini.StorageOff),
		HeartbeatEvery: Duration(10 * time.Second), Grace: Duration(5 * time.Second),
		CountTokens:         string(gateway.CountByGemini),
		ResponseStoreCount:  responsestore.DefaultCount,
		ResponseStoreSize:   responsestore.DefaultBytes,
		ResponseStoreAge:    Duration(responsestore.DefaultAge),
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
		InspectAddr: DefaultInspectAddr, Metrics: true, LogLevel: "info", LogFormat: "text",
		ShutdownGrace: Duration(30 * time.Second), // which is what Kubernetes gives
	}
}
