package errorbody

import (
	"bytes"
	"cmp"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/interactions"
	"github.com/gemwire/gemwire/pkg/wiretype"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Facts are the facts about an error in a reply, without the API keys that messages quote. The
// fields of gemini.Error with the same names document them.
type Facts struct {
	HTTPStatus int
	Status     geminiapi.ErrorStatus
	Message    string
	Details    []geminiapi.ErrorDetail
	RetryAfter time.Duration
	RequestID  string

	// FromAPI reports whether the body is an error object with a message.
	FromAPI bool
	// Code is the name of an error of the Interactions API, or "".
	Code string
	// Legacy is the older list of errors.
	Legacy []geminiapi.LegacyError
}

// Read reads an unsuccessful reply, or an error object in a stream. For an error object, httpStatus
// is 0 and header is nil. Any body yields facts, at least the status.
func Read(httpStatus int, header http.Header, body []byte) Facts {
	clean := bytes.TrimSpace(blankKeys(body))
	reply := replyOf(clean)
	object := reply.object()
	facts := object.facts()
	switch encoding := header.Get("Content-Encoding"); {
	case facts.FromAPI:
	case encoding != "" && !utf8.Valid(clean):
		facts.Message = "the body is compressed (" + strconv.Quote(beginning([]byte(encoding))) +
			"), which was not requested"
	default:
		facts.Message = reply.otherMessage(facts.Legacy, clean)
	}
	if object.code() == 0 { // a number, also in quotes, is the HTTP status
		facts.Code = interactionCode(reply.Error)
	}
	status, named := 0, interactions.CanonicalOf(facts.Code)
	if named != interactions.CanonicalUnknown {
		facts.Status, status = geminiapi.ErrorStatus(named), interactions.StatusOf(facts.Code)
	}
	facts.fillStatus(httpStatus, cmp.Or(object.code(), status, reply.httpCode()))
	facts.RetryAfter = retryAfter(facts, object, reply, header)
	facts.RequestID = requestID(facts.Details, header)
	return facts
}

// Member returns the error of an envelope, {"error": {...}}, which may be the first element of a
// list. It returns nil for any other body.
func Member(body []byte) jsontext.Value { return replyOf(body).Error }

// IsPresent reports whether value is present and not null.
func IsPresent(value jsontext.Value) bool {
	return len(value) > 0 && value.Kind() != jsontext.KindNull
}

// Detail returns the first detail of a kind, such as "ErrorInfo", or nil.
func Detail(details []geminiapi.ErrorDetail, kind string) *geminiapi.ErrorDetail {
	for i, detail := range details {
		if detail.Type != nil && strings.HasSuffix(*detail.Type, "google.rpc."+kind) {
			return &details[i]
		}
	}
	return nil
}

// errorReply is the envelope of an error body. All members are raw, so that one of an unexpected
// type does not hide the others.
type errorReply struct {
	Error            jsontext.Value `json:"error"`
	ErrorDescription jsontext.Value `json:"error_description"` // OAuth
	Detail           jsontext.Value `json:"detail"`            // servers written in Python

	errorObject // for proxies, and for an error without an envelope
}

// errorObject is the error itself, raw like errorReply.
type errorObject struct {
	Code       jsontext.Value `json:"code"`
	Message    jsontext.Value `json:"message"`
	Status     jsontext.Value `json:"status"`
	Details    jsontext.Value `json:"details"`
	Errors     jsontext.Value `json:"errors"`
	RetryDelay jsontext.Value `json:"retryDelay"`
}

// anyJSON reads JSON more leniently than the API writes it.
var anyJSON = json.JoinOptions(
	jsontext.AllowDuplicateNames(true),
	jsontext.AllowInvalidUTF8(true),
	json.MatchCaseInsensitiveNames(true),
)

// replyOf reads a body as an object, or as a list with the object as its first element. A stream
// without server-sent events reports errors in a list. It is zero for any other body.
func replyOf(body []byte) errorReply {
	var reply errorReply
	if jsontext.Value(body).Kind() == jsontext.KindBeginArray {
		var list []jsontext.Value
		if err := json.Unmarshal(body, &list, anyJSON); err != nil || len(list) == 0 {
			return reply
		}
		body = list[0]
	}
	if err := json.Unmarshal(body, &reply, anyJSON); err != nil {
		return errorReply{}
	}
	return reply
}

// object returns the error object. Without an envelope, only a canonical status distinguishes it
// from the errors of proxies.
func (r errorReply) object() errorObject {
	status, _ := stringOf(r.Status)
	if !IsPresent(r.Error) && HTTPStatusOf(geminiapi.ErrorStatus(status)) != 0 {
		return r.errorObject
	}
	var object errorObject
	if err := json.Unmarshal(r.Error, &object, anyJSON); err != nil {
		return errorObject{}
	}
	return object
}

// httpCode returns the HTTP status in a body without an envelope, or 0 if it is not an error
// status. A small number may mean anything there.
func (r errorReply) httpCode() int {
	if code := r.code(); !IsPresent(r.Error) && code >= http.StatusBadRequest && code < 600 {
		return code
	}
	return 0
}

// facts returns the facts in an error object.
func (o errorObject) facts() Facts {
	status, _ := stringOf(o.Status)
	message, isText := stringOf(o.Message)
	return Facts{
		Status: geminiapi.ErrorStatus(status), Message: message, FromAPI: isText,
		Details: details(o.Details), Legacy: legacyErrors(o.Errors),
	}
}

// details keeps a detail that does not match the description as unknown members.
func details(list jsontext.Value) []geminiapi.ErrorDetail {
	var raw []jsontext.Value
	if err := json.Unmarshal(list, &raw, anyJSON); err != nil {
		return nil
	}
	var out []geminiapi.ErrorDetail
	for _, value := range raw {
		var detail geminiapi.ErrorDetail
		if err := json.Unmarshal(value, &detail); err == nil {
			out = append(out, detail)
		} else if value.Kind() == jsontext.KindBeginObject {
			out = append(out, geminiapi.ErrorDetail{Unknown: value})
		}
	}
	return out
}

// legacyErrors returns the elements of a list that match.
func legacyErrors(list jsontext.Value) []geminiapi.LegacyError {
	var raw []jsontext.Value
	if err := json.Unmarshal(list, &raw, anyJSON); err != nil {
		return nil
	}
	var out []geminiapi.LegacyError
	for _, value := range raw {
		var legacy geminiapi.LegacyError
		if err := json.Unmarshal(value, &legacy); err == nil {
			out = append(out, legacy)
		}
	}
	return out
}

// otherMessage looks for a text to show in a body that is not an error object with a message.
func (r errorReply) otherMessage(list []geminiapi.LegacyError, body []byte) string {
	for _, legacy := range list {
		if legacy.Message != nil {
			return *legacy.Message
		}
	}
	for _, value := range []jsontext.Value{r.ErrorDescription, r.Error, r.Message, r.Detail} {
		if text, ok := stringOf(value); ok {
			return text
		}
	}
	return readable(body)
}

// readable returns text from a body that is not JSON: the title of a page, or the beginning of a
// plain text.
func readable(body []byte) string {
	switch value := jsontext.Value(body); value.Kind() {
	case jsontext.KindBeginObject, jsontext.KindBeginArray:
		return "" // cut off in transit
	default:
		if value.IsValid() {
			return ""
		}
	}
	if !bytes.HasPrefix(body, []byte("<")) {
		return beginning(body)
	}
	return pageTitle(body)
}

// beginning returns at most the first 300 bytes of a text.
func beginning(text []byte) string {
	const limit = 300
	if len(text) <= limit {
		return strings.ToValidUTF8(string(text), string(utf8.RuneError))
	}
	cut := limit
	for cut > limit-utf8.UTFMax && !utf8.RuneStart(text[cut]) {
		cut--
	}
	return strings.ToValidUTF8(string(text[:cut]), string(utf8.RuneError)) + "..."
}

// fillStatus sets the HTTP status. It sets the canonical status if only the code of an error object
// names it, which may be a code of gRPC.
func (f *Facts) fillStatus(httpStatus, code int) {
	if code > 0 && code < http.StatusContinue { // a code of google.rpc
		status := statusOfCode(code)
		f.Status = cmp.Or(f.Status, status)
		code = cmp.Or(HTTPStatusOf(f.Status), HTTPStatusOf(status))
	}
	if httpStatus < http.StatusMultipleChoices { // says nothing about the error
		httpStatus = cmp.Or(code, HTTPStatusOf(f.Status))
	}
	f.HTTPStatus = httpStatus
}

func (o errorObject) code() int {
	var code wiretype.Int64 // in any form of a whole number
	if err := json.Unmarshal(o.Code, &code); err != nil {
		return 0
	}
	return int(code.Int64())
}

// interactionCode returns the code of an error of the Interactions API, whose envelope has a
// message and a text as code. It returns "" for any other error, which has more members.
func interactionCode(object jsontext.Value) string {
	if object.Kind() != jsontext.KindBeginObject {
		return ""
	}
	code, hasMessage := "", false
	for name, value := range jsonx.Members(object) {
		switch name {
		case "code":
			code, _ = stringOf(value)
		case "message":
			hasMessage = true
		default:
			return ""
		}
	}
	if !hasMessage {
		return ""
	}
	return code
}

// stringOf returns the text of a JSON string, and whether value is a string.
func stringOf(value jsontext.Value) (string, bool) {
	if value.Kind() != jsontext.KindString {
		return "", false
	}
	text, err := jsontext.AppendUnquote(nil, value)
	if err != nil {
		text = []byte(strings.ToValidUTF8(string(text), string(utf8.RuneError)))
	}
	return string(text), true
}

// requestID returns the id from RequestInfo or the header.
func requestID(details []geminiapi.ErrorDetail, header http.Header) string {
	if info := Detail(details, "RequestInfo"); info != nil && info.RequestID != nil {
		return *info.RequestID
	}
	return header.Get("X-Request-Id")
}
