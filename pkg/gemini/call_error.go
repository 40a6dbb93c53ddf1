package gemini

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/gemwire/gemwire/internal/codec"
	"github.com/gemwire/gemwire/internal/eventstream"
	"github.com/gemwire/gemwire/internal/redact"
	"github.com/gemwire/gemwire/internal/transporterror"
	"github.com/gemwire/gemwire/pkg/gemini/internal/endpoint"
	"github.com/gemwire/gemwire/pkg/gemini/internal/errorbody"
	"github.com/gemwire/gemwire/pkg/gemini/internal/transport"
	"github.com/gemwire/gemwire/pkg/wire"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// CallError reports that a call of a [Client] failed for a reason that the server did not report:
// the connection, a deadline, or a malformed answer. An error that the server reports is an
// *[Error].
//
// It wraps the cause. errors.Is finds [context.Canceled], [context.DeadlineExceeded],
// [wire.ErrTruncated] and [ErrBodyTooLarge]. errors.As finds a *[TimeoutError], a
// *[wire.MalformedError] and a *[wire.StreamError].
//
// However a CallError is printed, it shows no key and no token that the client knows, in any usual
// encoding. The same holds for the errors of this package that it wraps. The end of the chain may
// be an error of the caller's own, for example of a [Doer]. Its text is unchanged: if it quotes the
// request headers, it shows the key. Print the CallError instead.
type CallError struct {
	// Operation is the method that was called, such as "generateContent".
	Operation string
	// HTTPStatus is the status of the last reply, or 0 without a reply.
	HTTPStatus int
	// Attempts is the number of attempts, or 0 if nothing was sent.
	Attempts int

	text string       // the text of err, without addresses and secrets
	err  func() error // a function, because package fmt prints struct fields for some verbs
}

// failed returns the error of a call. An error that the server reported stays as it is. Any other
// error becomes a *CallError, and nil stays nil.
func (x *exchange) failed(err error) error {
	if err == nil {
		return nil
	}
	x.settings.blankSecrets(err)
	if reported, ok := err.(*Error); ok {
		return reported
	}
	return newCallError(CallError{Operation: x.op.name, HTTPStatus: x.status, Attempts: x.attempts},
		err, x.settings.known()...)
}

// newCallError adds a cause whose text quotes none of the secrets.
func newCallError(e CallError, cause error, secrets ...string) *CallError {
	text := strings.TrimPrefix(transporterror.Text(cause), "gemini: ")
	e.text, e.err = redact.Text(text, secrets...), func() error { return cause }
	return &e
}

// ErrBodyTooLarge is wrapped by the error for an answer that exceeds [WithMaxBodySize].
var ErrBodyTooLarge = transport.ErrBodyTooLarge

// Error returns one line such as "gemini: generateContent: Post: dial tcp: connect: connection
// refused". It quotes no address and no part of a body.
func (e *CallError) Error() string {
	text := e.text
	if e.Attempts > 1 {
		text += fmt.Sprintf(" (attempt %d)", e.Attempts)
	}
	return "gemini: " + e.Operation + ": " + text
}

// Unwrap returns the cause.
func (e *CallError) Unwrap() error {
	if e.err == nil {
		return nil // a caller made this CallError
	}
	return e.err()
}

// GoString returns the text instead of the fields, because a field may quote addresses.
func (e *CallError) GoString() string { return fmt.Sprintf("&gemini.CallError{%q}", e.Error()) }

// LogValue groups the fields for package slog.
func (e *CallError) LogValue() slog.Value {
	return slog.GroupValue(
		slog.String("operation", e.Operation),
		slog.Int("http_status", e.HTTPStatus),
		slog.Int("attempts", e.Attempts),
		slog.String("category", string(CategoryOf(e))),
		slog.String("message", e.Error()),
	)
}

// refusal returns the error of a reply whose status is not a success.
func refusal(reply *transport.Reply, body []byte) error {
	e := DecodeError(reply.Status, reply.Header, body)
	e.HTTPStatus = reply.Status // also a status below 200, which is not an error status
	if e.Message == "" && reply.IsRedirect() {
		e.Message = "redirects are not followed" + redirectHost(reply.Header)
	}
	return e
}

// redirectHost returns the host of a redirect. It omits the rest of the address, which may hold a
// secret.
func redirectHost(header http.Header) string {
	location, err := url.Parse(header.Get("Location"))
	if err != nil || location.Host == "" {
		return ""
	}
	return ": to " + location.Hostname()
}

// errEmptyBody is the error of a reply without a body. It is also [wire.ErrTruncated].
var errEmptyBody error = emptyBodyError{}

type emptyBodyError struct{}

func (emptyBodyError) Error() string        { return "the body is empty" }
func (emptyBodyError) Is(target error) bool { return target == wire.ErrTruncated }

// unexpected returns the error of a successful reply whose body is not the answer. An API error, a
// page or a text becomes an *[Error]. Anything else is the error that decoding returned.
func (s *settings) unexpected(reply *transport.Reply, body []byte, err error) error {
	if len(body) == 0 {
		return errEmptyBody
	}
	if _, isReported := err.(*Error); isReported || reportsError(body) {
		err = DecodeError(reply.Status, reply.Header, body)
	}
	return ofReply(reply.Status, err)
}

// reportsError reports whether a body that is not the answer is an error object of the API, alone
// or in a list, or not JSON at all.
func reportsError(body []byte) bool {
	switch jsontext.Value(body).Kind() {
	case jsontext.KindBeginObject, jsontext.KindBeginArray:
		return errorbody.IsPresent(errorbody.Member(body))
	default:
		return !jsontext.Value(body).IsValid()
	}
}

// ofReply sets the status of the reply that an error came with, if the error names no status.
func ofReply(status int, err error) error {
	if e, ok := errors.AsType[*Error](err); ok && e.HTTPStatus == 0 {
		e.HTTPStatus = status
	}
	return err
}

// ErrModelRequired is returned if neither the request nor the client names a model. Set the member
// Model of the request, for example to new("gemini-3.6-flash"), or set a model for all requests
// with [WithModel].
var ErrModelRequired = endpoint.ErrNoModel

// ModelError reports a model that the called service does not have, such as a Vertex AI model at
// the Gemini API. Nothing was sent.
type ModelError struct {
	// Model is the name of the model. API keys in it are redacted.
	Model string
	// Problem describes what is wrong with the name, such as "the model is one of Vertex AI, and
	// the client calls the Gemini API".
	Problem string
}

// Error returns one line such as `gemini: model "a//b": the name has an empty segment, a dot
// segment or a control character`.
func (e *ModelError) Error() string {
	return fmt.Sprintf("gemini: model %.200q: %s", e.Model, e.Problem)
}

// Reason returns Problem.
func (e *ModelError) Reason() string { return e.Problem }

// wrongModel returns the error for a model name that the endpoint refused with err. It redacts keys
// that are in the name by mistake.
func (s *settings) wrongModel(name string, err error) error {
	if errors.Is(err, endpoint.ErrNoModel) {
		return err
	}
	return &ModelError{Model: redact.Text(name, s.known()...), Problem: err.Error()}
}

// TimeoutError reports which of a client's own limits a call exceeded. errors.Is finds
// [context.DeadlineExceeded], and the error is a net.Error whose Timeout returns true.
type TimeoutError struct {
	// Limit is the name of the limit: "overall", "attempt" or "stream idle".
	Limit string
	// After is the duration of the limit.
	After time.Duration
}

func newTimeoutError(limit string, after time.Duration) error {
	return &TimeoutError{Limit: limit, After: after}
}

// Error returns a text such as "no complete answer within the attempt timeout of 30s".
func (e *TimeoutError) Error() string {
	what := "no complete answer within the "
	if e.Limit == transport.LimitIdle {
		what = "no data within the "
	}
	return what + e.Limit + " timeout of " + e.After.String()
}

// Is reports whether target is [context.DeadlineExceeded].
func (e *TimeoutError) Is(target error) bool { return target == context.DeadlineExceeded }

// Timeout returns true.
func (e *TimeoutError) Timeout() bool { return true }

// Temporary returns true. The interface net.Error requires the method.
func (e *TimeoutError) Temporary() bool { return true }

// failure converts the scanner's final error to the error that Next returns.
func (s *StreamReader) failure(err error) error {
	if _, ok := errors.AsType[*Error](err); ok { // from the underlying reader
		return err
	}
	if text, ok := errors.AsType[*eventstream.TextError](err); ok {
		if jsontext.Value(text.Text).IsValid() { // a number, for example
			return s.scanner.Failure("gemini", s.count, codec.CheckRoot(payloadResponse, text.Text))
		}
		return DecodeError(0, nil, text.Text)
	}
	if damage, ok := errors.AsType[*eventstream.ByteError](err); ok {
		err = codec.NewByteError(payloadResponse, damage.Byte)
	}
	if errors.Is(err, eventstream.ErrCut) {
		err = cutOrDamaged(s.scanner.Event.Bytes())
	}
	if err != io.EOF {
		return s.scanner.Failure("gemini", s.count, err)
	}
	switch {
	case s.continued:
		return s.truncated("content comes after the last finish reason")
	case s.finished, s.refused && !s.answered:
		return io.EOF
	case s.count > 0:
		return s.truncated("no finish reason")
	case s.scanner.Consumed() == 0:
		return s.truncated("the body is empty")
	default:
		return s.truncated("the body has no event")
	}
}

// cutOrDamaged returns why the last event of a body is incomplete. If the event is damaged before
// its end, neither more bytes nor a retry help.
func cutOrDamaged(event []byte) error {
	var value jsontext.Value
	err := json.Unmarshal(event, &value)
	if err == nil || errors.Is(err, io.ErrUnexpectedEOF) {
		return eventstream.ErrCut
	}
	return codec.NewMalformedError(payloadResponse, event, err)
}

func (s *StreamReader) truncated(problem string) error {
	return s.scanner.Truncated("gemini", s.count, problem)
}
