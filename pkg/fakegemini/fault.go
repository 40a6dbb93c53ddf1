package fakegemini

import (
	"errors"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/duration"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/fault"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/script"
)

func failure(f fault.Fault) Block { return block(script.Block{Fault: &f}) }

// Error is an error of the API. As the first block of an answer it is a reply with the HTTP status,
// and the server does not check the request. After the first chunk of a stream it is a bare object
// among the events; see [AsEvent]. After the first block of an answer that is not a stream it is
// the body of a reply with status 200. Without a message the server makes one.
func Error(httpStatus int, status geminiapi.ErrorStatus, message string) Block {
	return failure(fault.Fault{Kind: fault.Error, HTTPStatus: httpStatus, Status: status,
		Message: message})
}

// RateLimited is 429 for a quota per minute, with RetryInfo if the wait is above 0.
func RateLimited(wait time.Duration) Block {
	return failure(fault.Fault{Kind: fault.RateLimited, RetryDelay: duration.Duration(wait)})
}

// DailyQuota is 429 for a quota per day, with RetryInfo if the wait is above 0. The real server
// names a short wait, although the quota stays exhausted until the next day.
func DailyQuota(wait time.Duration) Block {
	return failure(fault.Fault{Kind: fault.DailyQuota, RetryDelay: duration.Duration(wait)})
}

// InternalError is 500 INTERNAL.
func InternalError() Block { return failure(fault.Fault{Kind: fault.Internal}) }

// Unavailable is 503 UNAVAILABLE, for an overloaded model.
func Unavailable() Block { return failure(fault.Fault{Kind: fault.Unavailable}) }

// DeadlineExceeded is 504 DEADLINE_EXCEEDED.
func DeadlineExceeded() Block { return failure(fault.Fault{Kind: fault.DeadlineExceeded}) }

// Unauthenticated is 401 UNAUTHENTICATED.
func Unauthenticated() Block { return failure(fault.Fault{Kind: fault.Unauthenticated}) }

// PermissionDenied is 403 PERMISSION_DENIED.
func PermissionDenied() Block { return failure(fault.Fault{Kind: fault.PermissionDenied}) }

// InvalidKey is the answer of the Gemini API to a wrong key: 400 with the reason API_KEY_INVALID.
func InvalidKey() Block { return failure(fault.Fault{Kind: fault.InvalidKey}) }

// NotFound is 404 NOT_FOUND.
func NotFound() Block { return failure(fault.Fault{Kind: fault.NotFound}) }

// AsEvent writes an error after the first chunk as an event, "data: {"error": ...}". The API was
// observed to write it bare; clients should expect both forms.
func AsEvent(b Block) Block {
	return change(b, func(made *script.Block) {
		if made.Fault == nil {
			made.Mistake = errors.New("only an error of the API can be sent as an event")
			return
		}
		event := *made.Fault
		event.AsEvent = true
		made.Fault = &event
	})
}

// HTMLPage is an HTML page instead of an answer, as proxies send it.
func HTMLPage(httpStatus int) Block {
	return failure(fault.Fault{Kind: fault.HTML, HTTPStatus: httpStatus})
}

// PlainText is a text instead of an answer; "" is a typical text of a proxy.
func PlainText(httpStatus int, text string) Block {
	return failure(fault.Fault{Kind: fault.Text, HTTPStatus: httpStatus, Body: text})
}

// EmptyBody is an empty body instead of an answer.
func EmptyBody(httpStatus int) Block {
	return failure(fault.Fault{Kind: fault.Empty, HTTPStatus: httpStatus})
}

// Redirect is a 302 to another address.
func Redirect(location string) Block {
	return failure(fault.Fault{Kind: fault.Redirect, Location: location})
}

// Stall sends nothing more until the client disconnects or the server closes. As the first block it
// sends no header either. After blocks of an answer that is not a stream, it sends the first half.
func Stall() Block { return failure(fault.Fault{Kind: fault.Stall}) }

// Cut closes the connection in the middle of the next event of a stream, or of the response.
func Cut() Block { return failure(fault.Fault{Kind: fault.Cut}) }

// Truncate ends a stream between two events, or a response after its first half, like a complete
// answer.
func Truncate() Block { return failure(fault.Fault{Kind: fault.Truncate}) }

// Reset resets the connection: as the first block before the header, otherwise within the answer.
func Reset() Block { return failure(fault.Fault{Kind: fault.Reset}) }

// Garbage sends an event of a stream, or the end of a response, that is not JSON.
func Garbage() Block { return failure(fault.Fault{Kind: fault.Garbage}) }

// Slow sends the following blocks n bytes at a time, with a wait between them.
func Slow(n int, every time.Duration) Block {
	return failure(fault.Fault{Kind: fault.Slow, Bytes: n, Every: duration.Duration(every)})
}

// ContentType sets the Content-Type header. It must come before all other blocks.
func ContentType(contentType string) Block {
	return failure(fault.Fault{Kind: fault.ContentType, ContentType: contentType})
}

// Large is a text of at least n bytes.
func Large(n int) Block { return failure(fault.Fault{Kind: fault.Large, Bytes: n}) }
