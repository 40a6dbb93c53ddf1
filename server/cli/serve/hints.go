package serve

import (
	"fmt"
	"io"
	"strings"

	"github.com/gemwire/gemwire/server/gateway"
	"github.com/gemwire/gemwire/server/gateway/config"
)

// printHints prints how to try the gateway.
func printHints(out io.Writer, url, page string, settings *config.Config) {
	fmt.Fprintf(out, "\nAsk it, in another terminal:\n\n  %s\n\n%s\n",
		strings.ReplaceAll(curlHint(url, settings), "\n", "\n  "), clientHints(url, settings))
	if page != "" {
		fmt.Fprintf(out, "Open the inspector, which shows each request:\n\n  %s\n\n", page)
	}
	if about := upstreamHint(settings, "make run"); about != "" {
		fmt.Fprint(out, about+"\n\n")
	}
	fmt.Fprint(out, "Ctrl-C stops the gateway.\n\n")
}

// upstreamHint says where the key of Gemini goes if the fake server answers because there is no
// key. Otherwise it returns "". command starts the gateway.
func upstreamHint(settings *config.Config, command string) string {
	if settings.Service() != gateway.Embedded || settings.Upstream != "" {
		return ""
	}
	return "A fake server answers. To ask Gemini, stop the gateway and start it with your key of Gemini:\n\n" +
		"  GEMINI_API_KEY=... " + command
}
