package launch

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gemwire/gemwire/server/cli/message"
	"github.com/go-json-experiment/json"
)

// agent is a coding agent that is started with the gateway as its server. The command neither reads
// nor writes the user's own settings.
type agent struct {
	// name is the agent's name in the command. program is its executable.
	name, program string
	// env are environment variables. args come before the user's arguments.
	env  func(g gatewayAt) []variable
	args func(g gatewayAt) []string
}

// gatewayAt is a gateway with the key for it, and the model that an agent requests.
type gatewayAt struct{ url, key, model string }

type variable struct{ name, value string }

var agents = []agent{
	{
		name: "claude", program: "claude",
		env: func(g gatewayAt) []variable {
			return []variable{
				{"ANTHROPIC_BASE_URL", g.url}, {"ANTHROPIC_AUTH_TOKEN", g.key},
				{"ANTHROPIC_MODEL", g.model},
				{"ANTHROPIC_API_KEY", ""}, // a user's key for Anthropic is not sent to the gateway
				{"ANTHROPIC_DEFAULT_HAIKU_MODEL", g.model},
				{"CLAUDE_CODE_ENABLE_GATEWAY_MODEL_DISCOVERY", "1"},
				// which would bypass the gateway
				{"CLAUDE_CODE_USE_BEDROCK", ""}, {"CLAUDE_CODE_USE_VERTEX", ""},
			}
		},
	},
	{
		name: "codex", program: "codex",
		env: func(g gatewayAt) []variable { return []variable{{"GEMWIRE_KEY", g.key}} },
		args: func(g gatewayAt) []string {
			return []string{
				"-c", "model=" + tomlText(g.model), "-c", `model_provider="gemwire"`,
				"-c", `model_providers.gemwire={ name = "gemwire", base_url = ` +
					tomlText(g.url+"/v1") + `, env_key = "GEMWIRE_KEY", wire_api = "responses", ` +
					`supports_websockets = true, model_catalog_url = ` +
					tomlText(g.url+"/v1/models") + ` }`,
				"-c", "features.api_key_model_discovery=true",
			}
		},
	},
	{
		name: "opencode", program: "opencode",
		env: func(g gatewayAt) []variable { return []variable{{"OPENCODE_CONFIG_CONTENT", opencodeConfig(g)}} },
	},
	{
		name: "gemini", program: "gemini",
		env: func(g gatewayAt) []variable {
			return []variable{{"GOOGLE_GEMINI_BASE_URL", g.url}, {"GEMINI_API_KEY", g.key},
				{"GEMINI_MODEL", g.model}, {"GOOGLE_GENAI_USE_VERTEXAI", ""}}
		},
	},
}

// tomlText quotes a text for TOML, in the same way as JSON.
func tomlText(text string) string {
	out, err := json.Marshal(text)
	if err != nil { // text of no UTF-8, which is no URL and no name of a model
		return `""`
	}
	return string(out)
}

// opencodeConfig is a configuration file of opencode.
func opencodeConfig(g gatewayAt) string {
	type object = map[string]any
	out, err := json.Marshal(object{
		"model": "gemwire/" + g.model,
		"provider": object{"gemwire": object{
			"npm": "@ai-sdk/openai", "options": object{"baseURL": g.url + "/v1", "apiKey": g.key},
			"models": object{g.model: object{
				"name": g.model, "attachment": true, "reasoning": true,
				"modalities": object{"input": []string{"text", "image", "pdf"},
					"output": []string{"text"}},
			}},
		}},
	}, json.Deterministic(true))
	if err != nil {
		return "{}"
	}
	return string(out)
}

func errAgentMissing() error {
	return fmt.Errorf("an agent is missing; the agents are %s", message.List(names(), "and"))
}

// find returns the agent with a name.
func find(name string) (*agent, error) {
	i := slices.IndexFunc(agents, func(a agent) bool { return a.name == name })
	if i < 0 {
		return nil, fmt.Errorf("unknown agent %q%s; the agents are %s", name,
			message.DidYouMean(name, names()), message.List(names(), "and"))
	}
	return &agents[i], nil
}

func names() []string {
	var out []string
	for _, a := range agents {
		out = append(out, a.name)
	}
	return out
}

// shell returns commands for a POSIX shell that configure an agent.
func (a *agent) shell(g gatewayAt) string {
	var b strings.Builder
	for _, v := range a.env(g) {
		fmt.Fprintf(&b, "export %s=%s\n", v.name, quote(v.value))
	}
	if a.args == nil {
		return b.String()
	}
	fmt.Fprintf(&b, "%s() { command %s", a.name, a.program)
	for _, arg := range a.args(g) {
		b.WriteString(" " + quote(arg))
	}
	b.WriteString(" \"$@\"; }\n")
	return b.String()
}

// quote quotes a word for a shell.
func quote(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }
