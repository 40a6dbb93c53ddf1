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

  curl %s/v1/chat/completions -H 'Content-Type: application/json' \
    -d '{"model": "%s", "messages": [{"role": "user", "content": "hello"}]}'

Programs for OpenAI reach it by the base URL %s/v1 and any key, those for Anthropic
and for Gemini by %s.
`, url, models.Default, url, url)
	if page != "" {
		fmt.Fprintf(out, "\nSee what became of a request in the inspector:\n\n  %s\n\n", page)
	}
	if settings.Service() == gateway.Embedded {
		fmt.Fprint(out, "A fake server answers. For Gemini, begin with a key: GEMINI_API_KEY=... make run\n")
	}
	fmt.Fprint(out, "Ctrl-C ends it.\n\n")
}
