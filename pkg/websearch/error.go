package websearch

import (
	"errors"
	"fmt"
	"unicode/utf8"
)

// Code is the kind of a failure. Programs that run the command know these values.
type Code string

// The codes.
const (
	// CodeAuthMissing means that the API key or the engine ID is not configured.
	CodeAuthMissing Code = "AUTH_MISSING"
	// CodeRateLimit means that a search quota is exhausted, the daily one or the one per minute.
	CodeRateLimit Code = "RATE_LIMIT"
	// CodeNetworkError means that no complete reply arrived: no connection, a timeout, a truncated
	// reply.
	CodeNetworkError Code = "NETWORK_ERROR"
	// CodeAPIError means that the reply was an error, whatever its HTTP status, or was not a reply
	// of Custom Search.
	CodeAPIError Code = "API_ERROR"
	// CodeInvalidInput means that the request does not match [Schema]. Nothing was sent to Google.
	CodeInvalidInput Code = "INVALID_INPUT"
)

// ErrMalformed is wrapped by the errors of [ParseRequest] for an input that is not a request at
// all. The command then exits with code 1.
var ErrMalformed = errors.New("not a search request")

// Error says why a search failed. It contains no credential, whatever the server sent.
type Error struct {
	// Code is the kind of failure.
	Code Code
	// Message explains the failure to a person or a model, in English. It may have several lines.
	Message string
	// HTTPStatus is the status of an error reply, 0 if there was no such reply.
	HTTPStatus int
	// Event asks the program that runs the tool to act. It is nil except for CodeAuthMissing.
	Event *Event

	cause error
}

// Error returns the code and the message.
func (e *Error) Error() string {
	return fmt.Sprintf("websearch: %s: %s", e.Code, e.Message)
}

// Unwrap returns the cause, such as [context.DeadlineExceeded], [ErrMalformed] or a connection
// error, nil if the error has none.
func (e *Error) Unwrap() error { return e.cause }

// Event asks the program that runs the tool to inform its user. It is not meant for the model.
type Event struct {
	// Kind is always config_required.
	Kind string `json:"kind"`
	// Content is the text to show. It has several lines.
	Content string `json:"content"`
	// Data has the same information for programs.
	Data EventData `json:"data"`
}

// EventData names what has to be configured.
type EventData struct {
	// Tool is [Name].
	Tool string `json:"tool"`
	// Credentials are the names of all credentials that the tool needs, even if only one is
	// missing.
	Credentials []string `json:"credentials"`
}

const (
	missingText = `Web search requires API key configuration.

Google Custom Search offers 100 free searches/day.
Get API key: https://developers.google.com/custom-search/v1/overview
Get Search Engine ID: https://programmablesearchengine.google.com/controlpanel/create
Add to: ~/.config/ikigai/credentials.json as 'web_search.google.api_key' and 'web_search.google.engine_id'`

	missingEventText = `⚠ Configuration Required

Web search needs an API key and Search Engine ID. Google Custom Search offers 100 free searches/day.

Get API key: https://developers.google.com/custom-search/v1/overview
Get Search Engine ID: https://programmablesearchengine.google.com/controlpanel/create
Add to: ~/.config/ikigai/credentials.json

Example:
{
  "web_search": {
    "google": {
      "api_key": "your-api-key-here",
      "engine_id": "your-search-engine-id"
    }
  }
}`
)

func missingCredentials() *Error {
	return &Error{
		Code:    CodeAuthMissing,
		Message: missingText,
		Event: &Event{
			Kind:    "config_required",
			Content: missingEventText,
			Data:    EventData{Tool: Name, Credentials: []string{"api_key", "engine_id"}},
		},
	}
}

func invalid(message string) *Error {
	return &Error{Code: CodeInvalidInput, Message: message}
}

func malformed(message string) *Error {
	return &Error{Code: CodeInvalidInput, Message: message, cause: ErrMalformed}
}

// unusable returns the error of [New] for options that no client can work with.
func unusable(reason string) *Error {
	return &Error{Code: CodeNetworkError, Message: "Failed to initialize HTTP client: " + reason}
}

// maxMessage limits the bytes of a server's message. Programs that run the command reserve no more.
const maxMessage = 511

// shorten cuts a message that is too long, never within a character.
func shorten(message string) string {
	if len(message) <= maxMessage {
		return message
	}
	end := maxMessage
	for !utf8.RuneStart(message[end]) {
		end--
	}
	return message[:end]
}
