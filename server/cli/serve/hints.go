package serve

import (
	"fmt"
	"io"

	"github.com/gemwire/gemwire/pkg/gemini/models"
	"github.com/gemwire/gemwire/server/gateway"
	"github.com/gemwire/gemwire/server/gateway/config"
)

// printHints prints how to try the gateway.
func printHints(out io.Writer, url, page string, settings *config.Config) {
	fmt.Fprintf(out, `
Ask it, in another terminal:

  curl %[1]s/v1/chat/completions -H 'Content-Type: application/json' \
    -d '{"model": "%[2]s", "messages": [{"role": "user", "content": "hello"}]}'

%[3]s
`, url, models.Default, clientHints(url))
	if page != "" {
		fmt.Fprintf(out, "Open the inspector, which shows each request:\n\n  %s\n\n", page)
	}
	if settings.Service() == gateway.Embedded {
		fmt.Fprint(out, "A fake server answers. To ask Gemini, stop and start with a key:\n\n  GEMINI_API_KEY=... make run\n\n")
	}
	fmt.Fprint(out, "Ctrl-C stops the gateway.\n\n")
}

// clientHints returns one line for each client, with its settings.
func clientHints(url string) string {
	return fmt.Sprintf(`Connect a client. Any key will do:

  OpenAI's SDKs      OPENAI_BASE_URL=%[1]s/v1 OPENAI_API_KEY=any
  Anthropic's SDKs   ANTHROPIC_BASE_URL=%[1]s ANTHROPIC_API_KEY=any
  Google's SDKs      GOOGLE_GEMINI_BASE_URL=%[1]s GEMINI_API_KEY=any
  Claude Code        ANTHROPIC_BASE_URL=%[1]s ANTHROPIC_AUTH_TOKEN=any ANTHROPIC_MODEL=%[2]s
  codex              base_url = "%[1]s/v1", wire_api = "responses"   (docs/clients/codex.md)
`, url, models.Default)
}
