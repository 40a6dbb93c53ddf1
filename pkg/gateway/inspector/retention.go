package inspector

import (
	"bytes"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/gemwire/gemwire/internal/redact"
	"github.com/gemwire/gemwire/pkg/gateway/exchange"
)

// Bounds of what is kept of one value.
const (
	maxString  = 8 << 10 // of a string in a body
	maxValue   = 2 << 10 // of a header field, an address, an error
	maxFields  = 100     // of a header
	cutMargin  = 1 << 10 // what is searched for secrets behind a cut, as one may begin before it
	leftOutTag = "…[gemwire left out "
)

// retention decides what is kept of what the gateway tells: nothing secret, and not all of what is long.
type retention struct {
	maxBody int

	mu      sync.RWMutex
	secrets []string
}

func (r *retention) add(secrets ...string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, secret := range secrets {
		if secret != "" && !slices.Contains(r.secrets, secret) {
			r.secrets = append(r.secrets, secret)
		}
	}
}

// body is a body, or a chunk of one, as it is kept.
type body struct {
	text string
	// leftOut counts the bytes that are missing: within strings, and at the end of a body that is cut.
	leftOut int
	// cut is set where the end is missing.
	cut bool
}

// body returns what is kept of a body.
func (r *retention) body(data []byte) body {
	if len(data) == 0 {
		return body{}
	}
	kept, leftOut := r.shortenStrings(data)
	b := body{leftOut: leftOut}
	if len(kept) > r.maxBody {
		b.cut = true
		b.leftOut += len(kept) - r.maxBody
		text := r.blank(string(kept[:min(len(kept), r.maxBody+cutMargin)]))
		b.text = prefix(text, r.maxBody)
		return b
	}
	b.text = r.blank(string(kept))
	return b
}

// value returns what is kept of a short text, such as an error.
func (r *retention) value(text string) string {
	if len(text) <= maxValue {
		return r.blank(text)
	}
	return prefix(r.blank(text[:min(len(text), maxValue+cutMargin)]), maxValue) + "…"
}

// credential is what a key or an access token of Google's looks like, whoever it belongs to.
var credential = regexp.MustCompile(`AIza[0-9A-Za-z_-]{35}|ya29\.[0-9A-Za-z_-]{20,}|AQ\.[0-9A-Za-z_-]{30,}`)

// blank removes secrets, and bytes that are no text.
func (r *retention) blank(text string) string {
	r.mu.RLock()
	secrets := r.secrets
	r.mu.RUnlock()
	text = strings.ToValidUTF8(text, "\uFFFD")
	return credential.ReplaceAllLiteralString(redact.Text(text, secrets...), redact.Mark)
}

// shortenStrings returns a JSON text in which long strings have only their beginning, and how many bytes are missing.
// A text without long strings is returned itself.
func (r *retention) shortenStrings(data []byte) ([]byte, int) {
	var out []byte
	leftOut, written := 0, 0
	for at := 0; ; {
		quote := bytes.IndexByte(data[at:], '"')
		if quote < 0 {
			break
		}
		begin := at + quote + 1
		end := stringEnd(data, begin)
		if end-begin > maxString+cutMargin {
			beginning := r.blank(string(data[begin : begin+maxString+cutMargin]))
			missing := end - begin - maxString
			out = append(out, data[written:begin]...)
			out = append(out, beginning[:endOfWhole(beginning, maxString)]...)
			out = append(out, leftOutTag+strconv.Itoa(missing)+" bytes]"...)
			written = end
			leftOut += missing
		}
		at = min(end+1, len(data))
	}
	if leftOut == 0 {
		return data, 0
	}
	return append(out, data[written:]...), leftOut
}

// stringEnd returns where the quote stands that ends a JSON string, the end of the data where there is none.
func stringEnd(data []byte, begin int) int {
	for at := begin; ; at += 2 {
		next := bytes.IndexAny(data[min(at, len(data)):], `"\`)
		if next < 0 {
			return len(data)
		}
		if at += next; data[at] == '"' {
			return at
		}
	}
}

// endOfWhole returns where the text of a JSON string can be cut, at most at limit: not within a character, nor within
// an escape.
func endOfWhole(text string, limit int) int {
	limit = min(limit, len(text))
	const longestEscape = len(`\u0000`)
	for at := max(0, limit-longestEscape+1); at < limit; at++ {
		if text[at] == '\\' && backslashes(text[:at])%2 == 0 {
			limit = at
		}
	}
	return len(prefix(text, limit))
}

// backslashes counts those at the end of a text.
func backslashes(text string) int { return len(text) - len(strings.TrimRight(text, `\`)) }

// prefix returns the first n bytes of a text, or less where a character would be cut.
func prefix(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n]
}

// field is a field of a header.
type field struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// credentialFields are those that hold a credential, in small letters. The gateway leaves them out; here nothing is left
// to that.
var credentialFields = []string{
	"authorization", "proxy-authorization", "cookie", "set-cookie", "x-goog-api-key", "api-key", "x-api-key",
}

// header returns what is kept of a header, in the order of the names.
func (r *retention) header(header http.Header) []field {
	var fields []field
	for name, values := range header {
		if slices.Contains(credentialFields, strings.ToLower(name)) {
			continue
		}
		for _, value := range values {
			fields = append(fields, field{Name: r.value(name), Value: r.value(value)})
		}
	}
	slices.SortFunc(fields, func(a, b field) int {
		return strings.Compare(a.Name+"\x00"+a.Value, b.Name+"\x00"+b.Value)
	})
	return fields[:min(len(fields), maxFields)]
}

// credentialMembers are members of a query that hold a credential, in small letters.
var credentialMembers = []string{"key", "api_key", "apikey", "access_token", "token", "oauth_token"}

// address returns what is kept of an address: a path or a whole one, without the credentials in its query.
func (r *retention) address(text string) string {
	path, query, found := strings.Cut(text, "?")
	if !found {
		return r.value(text)
	}
	members := strings.Split(query, "&")
	for i, member := range members {
		name, _, _ := strings.Cut(member, "=")
		if decoded, err := url.QueryUnescape(name); err != nil || slices.Contains(credentialMembers, strings.ToLower(decoded)) {
			members[i] = name + "=" + redact.Mark
		}
	}
	return r.value(path + "?" + strings.Join(members, "&"))
}

// start returns what is kept of the beginning of an exchange.
func (r *retention) start(start exchange.Start) exchange.Start {
	for _, text := range []*string{&start.ID, &start.Form, &start.Method, &start.ClientName, &start.UserAgent, &start.RemoteAddr} {
		*text = r.value(*text)
	}
	start.Path = r.address(start.Path)
	start.Traceparent, start.Tracestate = "", ""
	return start
}

// end returns what is kept of the end of an exchange.
func (r *retention) end(end exchange.End) exchange.End {
	for _, text := range []*string{&end.Model, &end.UpstreamModel, &end.Service, &end.ErrorType, &end.ErrorCode, &end.ErrorMessage} {
		*text = r.value(*text)
	}
	end.Usage.Wire = nil // It may be any size.
	return end
}
