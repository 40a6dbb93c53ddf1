package tally

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/gemwire/gemwire/server/bulk/line"
)

// Kind returns why a line failed, in a few words that many lines share, such as "429
// rate_limit_exceeded" and "batch_expired".
func Kind(r *line.Result) string {
	switch {
	case r.Error != nil:
		// otherwise the sum could not be stored
		return strings.ToValidUTF8(r.Error.Code[:min(len(r.Error.Code), maxCode)], "")
	case r.Response == nil:
		return "none"
	}
	status := strconv.Itoa(r.Response.Status)
	if code := errorCode(r.Response.Body); code != "" {
		return status + " " + code
	}
	return status
}

// maxCode is the maximum length of a plausible code.
const maxCode = 64

// errorCode returns the code, or else the type, in an error envelope of OpenAI, Anthropic or
// Google. In Google's envelope code is a number, and the status is used.
func errorCode(body jsontext.Value) string {
	var envelope struct {
		Error struct {
			Code   jsontext.Value `json:"code"`
			Type   jsontext.Value `json:"type"`
			Status jsontext.Value `json:"status"`
		} `json:"error"`
	}
	if err := json.Unmarshal(body, &envelope); err != nil {
		return ""
	}
	code := cmp.Or(text(envelope.Error.Status), text(envelope.Error.Code),
		text(envelope.Error.Type))
	if len(code) > maxCode {
		return ""
	}
	return code
}

// text returns a JSON string, or "" for any other value.
func text(value jsontext.Value) string {
	if value.Kind() != '"' {
		return ""
	}
	unquoted, err := jsontext.AppendUnquote(nil, value)
	if err != nil {
		return ""
	}
	return string(unquoted)
}
