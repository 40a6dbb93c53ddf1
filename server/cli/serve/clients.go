package serve

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/gemwire/gemwire/pkg/gemini/models"
	"github.com/gemwire/gemwire/server/gateway/config"
)

// client is a client that docs/clients has a page for.
type client struct {
	// name is the title of the page, and page its file.
	name, page string
	// settings connect the client. They contain {url}, {key} and {model}.
	settings string
}

// clients are the clients in the order of docs/clients/README.md. A test holds them to the folder.
var clients = []client{
	{"Claude Code", "claude-code.md",
		"ANTHROPIC_BASE_URL={url} ANTHROPIC_AUTH_TOKEN={key} ANTHROPIC_MODEL={model} claude"},
	{"codex", "codex.md", `base_url = "{url}/v1", wire_api = "responses" in ~/.codex/config.toml`},
	{"opencode", "opencode.md", `"baseURL": "{url}/v1", "apiKey": "{key}" in opencode.json`},
	{"Gemini CLI", "gemini-cli.md",
		"GOOGLE_GEMINI_BASE_URL={url} GEMINI_API_KEY={key} gemini -m {model}"},
	{"OpenAI for Python", "openai-python.md", `OpenAI(base_url="{url}/v1", api_key="{key}")`},
	{"OpenAI for JavaScript", "openai-js.md", `new OpenAI({ baseURL: "{url}/v1", apiKey: "{key}" })`},
	{"Anthropic's SDKs", "anthropic.md", "ANTHROPIC_BASE_URL={url} ANTHROPIC_API_KEY={key}"},
	{"Google's SDKs", "google.md", "GOOGLE_GEMINI_BASE_URL={url} GEMINI_API_KEY={key}"},
	{"AI SDK", "ai-sdk.md", "createOpenAI({ baseURL: '{url}/v1', apiKey: '{key}' })"},
	{"LangChain", "langchain.md",
		"new ChatOpenAI({ apiKey: '{key}', configuration: { baseURL: '{url}/v1' } })"},
}

// clientHints returns one line for each client, with its settings.
func clientHints(url string, settings *config.Config) string {
	key, about := clientKey(settings)
	values := strings.NewReplacer("{url}", url, "{key}", key, "{model}", models.Default)
	var out strings.Builder
	fmt.Fprintf(&out, "Connect a client. %s\n\n", about)
	table := tabwriter.NewWriter(&out, 0, 0, 3, ' ', 0)
	for _, c := range clients {
		fmt.Fprintf(table, "  %s\t%s\n", c.name, values.Replace(c.settings))
	}
	_ = table.Flush() // to memory
	out.WriteString("\nThe folder docs/clients has a page for each client.\n")
	return out.String()
}

// curlHint returns a command that asks the gateway.
func curlHint(url string, settings *config.Config) string {
	header := ""
	if key, _ := clientKey(settings); key != anyKey {
		header = " -H 'Authorization: Bearer " + key + "'"
	}
	return fmt.Sprintf(`curl %s/v1/chat/completions -H 'Content-Type: application/json'%s \
  -d '{"model": "%s", "messages": [{"role": "user", "content": "hello"}]}'`, url, header,
		models.Default)
}

// anyKey is the key for a gateway that checks none.
const anyKey = "any"

// clientKey returns the key that clients send, and what it is.
func clientKey(settings *config.Config) (key, about string) {
	switch {
	case settings.CallersKey:
		return "GEMINI_KEY", "Replace GEMINI_KEY by your own key of Gemini:"
	case settings.KeyFile != "":
		return "CLIENT_KEY", "Replace CLIENT_KEY by a client key, which gemwire keys new NAME " +
			"--key-file " + settings.KeyFile + " makes:"
	default:
		return anyKey, "Any key will do:"
	}
}
