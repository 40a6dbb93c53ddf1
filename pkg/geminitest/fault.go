package geminitest

import (
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/fakegemini"
)

// Error is an error of the API.
func Error(httpStatus int, status geminiapi.ErrorStatus, message string) Block {
	return fakegemini.Error(httpStatus, status, message)
}

// RateLimited is 429 for a quota per minute, with RetryInfo if the wait is above 0.
func RateLimited(wait time.Duration) Block { return fakegemini.RateLimited(wait) }

// DailyQuota is 429 for a quota per day, with RetryInfo if the wait is above 0.
func DailyQuota(wait time.Duration) Block { return fakegemini.DailyQuota(wait) }

// InternalError is 500 INTERNAL.
func InternalError() Block { return fakegemini.InternalError() }

// Unavailable is 503 UNAVAILABLE, for an overloaded model.
func Unavailable() Block { return fakegemini.Unavailable() }

// DeadlineExceeded is 504 DEADLINE_EXCEEDED.
func DeadlineExceeded() Block { return fakegemini.DeadlineExceeded() }

// Unauthenticated is 401 UNAUTHENTICATED.
func Unauthenticated() Block { return fakegemini.Unauthenticated() }

// PermissionDenied is 403 PERMISSION_DENIED.
func PermissionDenied() Block { return fakegemini.PermissionDenied() }

// InvalidKey is the answer of the Gemini API to a wrong key: 400 with the reason API_KEY_INVALID.
func InvalidKey() Block { return fakegemini.InvalidKey() }

// NotFound is 404 NOT_FOUND.
func NotFound() Block { return fakegemini.NotFound() }

// AsEvent writes an error after the first chunk as an event, "data: {"error": ...}".
func AsEvent(b Block) Block { return fakegemini.AsEvent(b) }

// HTMLPage is an HTML page instead of an answer, as proxies send it.
func HTMLPage(httpStatus int) Block { return fakegemini.HTMLPage(httpStatus) }

// PlainText is a text instead of an answer; "" is a typical text of a proxy.
func PlainText(httpStatus int, text string) Block { return fakegemini.PlainText(httpStatus, text) }

// EmptyBody is an empty body instead of an answer.
func EmptyBody(httpStatus int) Block { return fakegemini.EmptyBody(httpStatus) }

// Redirect is a 302 to another address.
func Redirect(location string) Block { return fakegemini.Redirect(location) }

// Stall sends nothing more until the client disconnects or the server closes.
func Stall() Block { return fakegemini.Stall() }

// Cut closes the connection in the middle of the next event of a stream, or of the response.
func Cut() Block { return fakegemini.Cut() }

// Truncate ends a stream between two events, or a response after its first half. The connection
// closes as if the answer were complete.
func Truncate() Block { return fakegemini.Truncate() }

// Reset resets the connection: as the first block before the header, otherwise within the answer.
func Reset() Block { return fakegemini.Reset() }

// Garbage sends an event of a stream, or the end of a response, that is not JSON.
func Garbage() Block { return fakegemini.Garbage() }

// Slow sends the following blocks n bytes at a time, with a wait between them.
func Slow(n int, every time.Duration) Block { return fakegemini.Slow(n, every) }

// ContentType sets the Content-Type header.
func ContentType(contentType string) Block { return fakegemini.ContentType(contentType) }

// Large is a text of at least n bytes.
func Large(n int) Block { return fakegemini.Large(n) }
