package inspector

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/go-json-experiment/json/jsontext"
)

// replayEdit is how a replay differs from the exchange.
type replayEdit struct {
	// Body replaces the body.
	Body *string `json:"body"`
	// Model replaces the model in the body or in the path, and Account is the only account to call.
	// "" changes nothing.
	Model   string `json:"model"`
	Account string `json:"account"`
	// Header sets header fields. "" removes a field.
	Header map[string]string `json:"header"`
}

// plan returns the replay of an exchange with changes, or why it cannot be sent.
func (i *Inspector) plan(kept *record, edit *replayEdit) (*replayPlan, error) {
	if i.replay == nil {
		return nil, errors.New(i.whyNoReplay())
	}
	body, err := replayBody(kept)
	if edit.Body != nil {
		body, err = editedBody(kept, *edit.Body)
	}
	if err != nil {
		return nil, err
	}
	changed := *kept
	if edit.Model != "" {
		if body, err = changed.setModel(body, edit.Model); err != nil {
			return nil, err
		}
	}
	request, err := replayRequest(&changed, body)
	if err != nil {
		return nil, err
	}
	if err := setHeader(request, edit.Header); err != nil {
		return nil, err
	}
	start := kept.start
	start.ID, start.Job, start.Line, start.ClientRetry = "", "", 0, 0
	return &replayPlan{of: kept.number, start: start, request: request, account: edit.Account}, nil
}

// errNoModel refuses another model for a request that has none.
var errNoModel = errors.New("the request has no model that can be replaced")

// setModel replaces the model in the body, or in the path of a request of Google's own API. It
// returns the body.
func (r *record) setModel(body, model string) (string, error) {
	if before, after, ok := strings.Cut(r.address(), "/models/"); ok && r.isNative() {
		_, method, ok := strings.Cut(after, ":")
		if !ok {
			return "", errNoModel
		}
		r.setAddress(before + "/models/" + url.PathEscape(model) + ":" + method)
		return body, nil
	}
	if len(jsonx.Member(jsontext.Value(body), "model")) == 0 {
		return "", errNoModel
	}
	quoted, err := jsontext.AppendQuote(nil, model)
	if err != nil {
		return "", errNoModel
	}
	changed, err := jsonx.Set([]byte(body), "/model", quoted)
	if err != nil {
		return "", errNoModel
	}
	return string(changed), nil
}

// address returns the path of the client's request, with its query.
func (r *record) address() string {
	if r.client.request != nil {
		return r.client.request.url
	}
	return r.start.Path
}

// setAddress sets the path of a copy of a record.
func (r *record) setAddress(address string) {
	if r.client.request != nil {
		request := *r.client.request
		request.url = address
		r.client.request = &request
	}
	r.start.Path, _, _ = strings.Cut(address, "?")
}

// setHeader sets the fields of a request. It refuses a field that a replay cannot have.
func setHeader(request *http.Request, fields map[string]string) error {
	for name, value := range fields {
		lower := strings.ToLower(name)
		switch {
		case !isToken(name) || strings.ContainsAny(value, "\r\n\x00"):
			return fmt.Errorf("header: %q is not a valid field", name)
		case slices.Contains(connectionFields, lower) || slices.Contains(credentialFields, lower):
			return fmt.Errorf("header: %s cannot be set for a replay", name)
		case value == "":
			request.Header.Del(name)
		default:
			request.Header.Set(name, value)
		}
	}
	return nil
}

// isToken reports whether a text can be the name of a header field (RFC 9110, section 5.6.2).
func isToken(text string) bool {
	isOther := func(r rune) bool {
		isLetter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		return !isLetter && (r < '0' || r > '9') && !strings.ContainsRune("!#$%&'*+-.^_`|~", r)
	}
	return text != "" && !strings.ContainsFunc(text, isOther)
}
