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
	// CodeRateLimit means that the quota of searches is used up, that of the day or that of a
	// minute.
	CodeRateLimit Code = "RATE_LIMIT"
	// CodeNetworkError means that no complete reply came: no connection, a timeout, a reply cut
	// short.
	CodeNetworkError Code = "NETWORK_ERROR"
	// CodeAPIError means that the reply was an error, whatever its HTTP status, or not one of
	// Custom Search.
	CodeAPIError Code = "API_ERROR"
	// CodeInvalidInput means that the request is not one of [Schema], and that nothing was asked of
	// Google.
	CodeInvalidInput Code = "INVALID_INPUT"
)

// ErrMalformed is wrapped by the errors of [ParseRequest] for an input that is no request at all.
// The command ends with exit code 1 for them.
var ErrMalformed = errors.New("not a search request")

// Error is why a search failed. It holds no credential, whatever the server said.
type Error struct {
	// Code is the kind of failure.
	Code Code
	// Message explains it to a person or a model, as a sentence of English; it may have several
	// lines.
	Message string
	// HTTPStatus is the status of the reply that was an error; 0 when there was no such reply.
	HTTPStatus int
	// Event asks the program that runs the tool for something; nil but for CodeAuthMissing.
	Event *Event

	cause error
}

// Error returns the code and the message.
func (e *Error) Error() string {
	return fmt.Sprintf("websearch: %s: %s", e.Code, e.Message)
}

// Unwrap returns the cause, such as [context.DeadlineExceeded], [ErrMalformed] or an error of the
// connection; nil when there is none.
func (e *Error) Unwrap() error { return e.cause }

// Event asks the program that runs the tool to tell its user something. It is not for the model.
type Event struct {
	// Kind is config_required, the only one.
	Kind string `json:"kind"`
	// Content is the text to show, of several lines.
	Content string `json:"content"`
	// Data says the same for programs.
	Data EventData `json:"data"`
}

// EventData names what has to be configured.
type EventData struct {
	// Tool is [Name].
	Tool string `json:"tool"`
	// Credentials are the names of all credentials that the tool needs, also when only one is
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

// unusable is the error of [New] for options that no client can work with.
func unusable(reason string) *Error {
	return &Error{Code: CodeNetworkError, Message: "Failed to initialize HTTP client: " + reason}
}

// maxMessage is how many bytes of a server's message are passed on; programs that run the command
// set aside no more.
const maxMessage = 511

// shorten cuts a message that is too long, never inside a character.
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
