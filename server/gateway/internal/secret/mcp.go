package secret

import (
	"bytes"
	"net/url"
	"strings"

	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// OfBody returns the credentials for MCP servers in a body, both decoded and as they are written in
// JSON. They are OpenAI's authorization and headers, Anthropic's authorization_token, the headers
// of Gemini's mcpServers, and credentials in URLs.
func OfBody(body []byte) []string {
	if !bytes.Contains(body, []byte("mcp")) { // as in all of their types and names
		return nil
	}
	w := &mcpWalk{decoder: jsontext.NewDecoder(bytes.NewReader(body),
		jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))}
	_, _ = w.value(position{}) // of a body that is not JSON, what came before is found
	return w.found
}

// mcpWalk walks a body.
type mcpWalk struct {
	decoder *jsontext.Decoder
	found   []string
}

// position is where a value is: in the description of an MCP server, and in headers.
type position struct{ isOfServer, isHeaders bool }

// value reads a value. It returns the texts in headers that are secrets if the object around them
// describes an MCP server.
func (w *mcpWalk) value(at position) ([]string, error) {
	switch w.decoder.PeekKind() {
	case jsontext.KindBeginObject:
		return w.object(at)
	case jsontext.KindBeginArray:
		return w.array(at)
	default:
		return nil, w.decoder.SkipValue()
	}
}

func (w *mcpWalk) array(at position) (texts []string, err error) {
	if _, err := w.decoder.ReadToken(); err != nil {
		return nil, err
	}
	for w.decoder.PeekKind() != jsontext.KindEndArray {
		more, err := w.value(at)
		if err != nil {
			return nil, err
		}
		texts = append(texts, more...)
	}
	_, err = w.decoder.ReadToken()
	return texts, err
}

// object reads an object. The object's type may follow its texts, so only the end shows whether the
// texts are secrets.
func (w *mcpWalk) object(at position) (texts []string, err error) {
	if _, err := w.decoder.ReadToken(); err != nil {
		return nil, err
	}
	isServer := at.isOfServer
	for w.decoder.PeekKind() == jsontext.KindString {
		token, err := w.decoder.ReadToken()
		if err != nil {
			return nil, err
		}
		name := jsonx.FoldName(token.String())
		if w.decoder.PeekKind() != jsontext.KindString {
			inside := position{at.isOfServer || strings.Contains(name, "mcpserver"),
				at.isHeaders || name == "headers"}
			more, err := w.value(inside)
			if err != nil {
				return nil, err
			}
			if inside.isHeaders {
				texts = append(texts, more...)
			}
			continue
		}
		raw, err := w.decoder.ReadValue()
		if err != nil {
			return nil, err
		}
		isServer = isServer || name == "type" && bytes.Contains(raw, []byte("mcp"))
		texts = append(texts, secretsIn(name, raw, at.isHeaders)...)
	}
	if isServer {
		w.found, texts = append(w.found, texts...), nil
	}
	_, err = w.decoder.ReadToken()
	return texts, err
}

// plainHeaders are headers without secrets. Their names are in lower case and without underscores.
var plainHeaders = map[string]bool{
	"accept": true, "accept-encoding": true, "accept-language": true, "content-type": true,
	"user-agent":           true,
	"mcp-protocol-version": true,
}

// secretsIn returns the secrets in a text member of an MCP server's description.
func secretsIn(name string, raw jsontext.Value, isHeader bool) []string {
	var text string
	if json.Unmarshal(raw, &text) != nil {
		return nil
	}
	switch {
	case isHeader && !plainHeaders[name], name == "authorization", name == "authorizationtoken":
		return spellings(text, raw)
	case name == "serverurl", name == "url":
		return secretsOfAddress(text)
	default:
		return nil
	}
}

// spellings returns the forms of a secret: literal, as JSON if that differs, and without a scheme
// such as "Bearer".
func spellings(text string, raw jsontext.Value) []string {
	out := []string{text}
	if written := strings.Trim(string(raw), `"`); written != text {
		out = append(out, written)
	}
	if _, credential, hasScheme := strings.Cut(text, " "); hasScheme {
		out = append(out, credential)
	}
	return out
}

// secretsOfAddress returns the credentials in a URL.
func secretsOfAddress(text string) (out []string) {
	address, err := url.Parse(text)
	if err != nil {
		return nil
	}
	if password, hasPassword := address.User.Password(); hasPassword {
		out = append(out, password)
	}
	for name, values := range address.Query() {
		for _, value := range values {
			if isParameter(name) || IsLikely(value) {
				out = append(out, value)
			}
		}
	}
	return out
}
