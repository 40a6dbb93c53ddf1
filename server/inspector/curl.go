package inspector

import (
	"cmp"
	"net/http"
	"net/url"
	"strings"

	"github.com/gemwire/gemwire/server/gateway/exchange"
)

// curl answers with a command that sends the request of a side again.
func (i *Inspector) curl(w http.ResponseWriter, r *http.Request) {
	kept, ok := i.kept(w, r)
	if !ok {
		return
	}
	var command string
	var err error
	switch exchange.Side(r.PathValue("side")) {
	case exchange.Client:
		command, err = clientCurl(&kept, i.gateway)
	case exchange.Upstream:
		command, err = upstreamCurl(&kept)
	default:
		refuse(w, http.StatusNotFound, "expected client or upstream")
		return
	}
	if err != nil {
		refuse(w, http.StatusConflict, err.Error())
		return
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = w.Write([]byte(command))
}

// clientCurl returns the command for the client's request. A variable holds the key.
func clientCurl(r *record, gateway string) (string, error) {
	if r.client.request == nil {
		return "", errNoBodies
	}
	credential := ""
	if r.start.ClientName != "" {
		credential = "Authorization: Bearer $GEMWIRE_API_KEY"
	}
	return curlCommand(r.client.request, gateway+r.client.request.url, credential)
}

// upstreamCurl returns the command for the last request to the upstream.
func upstreamCurl(r *record) (string, error) {
	request := r.answer().upstream.request
	if request == nil {
		return "", cmp.Or(errUnsent[r.unsent()], errNoBodies)
	}
	address := request.url
	// A request that is passed through has only its model and verb.
	if !strings.Contains(address, "://") {
		address = "https://generativelanguage.googleapis.com/v1beta/" +
			strings.TrimPrefix(address, "/")
	}
	credential := "x-goog-api-key: $GEMINI_API_KEY"
	if r.isFromOpenAI() {
		credential = "Authorization: Bearer $OPENAI_API_KEY"
	}
	host, isSecure := "", false
	if parsed, err := url.Parse(address); err == nil {
		host, isSecure = parsed.Hostname(), parsed.Scheme == "https"
	}
	switch {
	case r.isImported && !(isSecure && strings.HasSuffix(host, ".googleapis.com")):
		credential = "" // a file may name any server, which must not get a key
	case strings.HasSuffix(host, "aiplatform.googleapis.com"):
		credential = "Authorization: Bearer $(gcloud auth print-access-token)"
	}
	return curlCommand(request, address, credential)
}

// curlCommand returns a command for a POSIX shell. The credential comes from the given shell text.
func curlCommand(m *message, address, credential string) (string, error) {
	if err := m.body.missing(); err != nil {
		return "", err
	}
	body := m.body.whole()
	var b strings.Builder
	b.WriteString("curl ")
	if strings.Contains(address, "alt=sse") || strings.Contains(body, `"stream"`) {
		b.WriteString("--no-buffer ")
	}
	b.WriteString(quoted(address))
	if m.method != http.MethodGet && (m.method != http.MethodPost || body == "") {
		b.WriteString(" \\\n  --request " + quoted(m.method))
	}
	if credential != "" {
		b.WriteString(" \\\n  --header \"" + credential + `"`)
	}
	for _, f := range m.header {
		if isCopied(f.Name) {
			b.WriteString(" \\\n  --header " + quoted(f.Name+": "+f.Value))
		}
	}
	if body == "" {
		return b.String() + "\n", nil
	}
	b.WriteString(" \\\n  --header 'Content-Type: application/json'")
	b.WriteString(" \\\n  --data-raw " + quoted(body) + "\n")
	return b.String(), nil
}

// isCopied reports whether a command has a field of the header, because the answer depends on it:
// gemwire's own fields such as X-Gemwire-Strict, and the versions of an API.
func isCopied(name string) bool {
	name = strings.ToLower(name)
	return strings.HasPrefix(name, "x-gemwire-") || strings.HasPrefix(name, "anthropic-") ||
		name == "openai-beta"
}

// quoted quotes a text as one shell word.
func quoted(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }
