package launch

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gemwire/gemwire/server/cli/message"
	"github.com/go-json-experiment/json"
)

// agent is a program that is started with the gateway as its server. Nothing of a user's settings
// is read or written.
type agent struct {
	// name is what the command calls it, program the file that runs it.
	name, program string
	// env are variables, args come before those of the user.
	env  func(g gatewayAt) []variable
	args func(g gatewayAt) []string
}

// gatewayAt is a gateway, the key that it takes, and the model that an agent asks for.
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
				// which would lead past the gateway
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
					tomlText(g.url+"/v1") + `, env_key = "GEMWIRE_KEY", wire_api = "responses" }`,
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

// tomlText writes a text as TOML does, which is as JSON does.
func tomlText(text string) string {
	out, err := json.Marshal(text)
	if err != nil { // text of no UTF-8, which is no URL and no name of a model
		return `""`
	}
	return string(out)
}

// opencodeConfig is a file of settings of opencode.
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

// find returns the agent of a name.
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

// shell returns lines for a POSIX shell that set an agent up.
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

// quote writes a word so that a shell takes it as it is.
func quote(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }
