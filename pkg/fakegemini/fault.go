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

// Error is an error of the API. As the first block of an answer it has the HTTP status, and the
// request is not looked at. After the first chunk of a stream it stands among the events, as a bare
// object; see [AsEvent]. After the first block of an answer that is no stream it is the body of a
// reply with status 200. Without a message the server makes one.
func Error(httpStatus int, status geminiapi.ErrorStatus, message string) Block {
	return failure(fault.Fault{Kind: fault.Error, HTTPStatus: httpStatus, Status: status,
		Message: message})
}

// RateLimited is 429 for a quota per minute, with RetryInfo when the wait is above 0.
func RateLimited(wait time.Duration) Block {
	return failure(fault.Fault{Kind: fault.RateLimited, RetryDelay: duration.Duration(wait)})
}

// DailyQuota is 429 for a quota per day, with RetryInfo when the wait is above 0. The real server
// names a short wait, although the quota is used up until the next day.
func DailyQuota(wait time.Duration) Block {
	return failure(fault.Fault{Kind: fault.DailyQuota, RetryDelay: duration.Duration(wait)})
}

// InternalError is 500 INTERNAL.
func InternalError() Block { return failure(fault.Fault{Kind: fault.Internal}) }

// Unavailable is 503 UNAVAILABLE, an overloaded model.
func Unavailable() Block { return failure(fault.Fault{Kind: fault.Unavailable}) }

// DeadlineExceeded is 504 DEADLINE_EXCEEDED.
func DeadlineExceeded() Block { return failure(fault.Fault{Kind: fault.DeadlineExceeded}) }

// Unauthenticated is 401 UNAUTHENTICATED.
func Unauthenticated() Block { return failure(fault.Fault{Kind: fault.Unauthenticated}) }

// PermissionDenied is 403 PERMISSION_DENIED.
func PermissionDenied() Block { return failure(fault.Fault{Kind: fault.PermissionDenied}) }

// InvalidKey is what the Gemini API answers to a wrong key: 400 with the reason API_KEY_INVALID.
func InvalidKey() Block { return failure(fault.Fault{Kind: fault.InvalidKey}) }

// NotFound is 404 NOT_FOUND.
func NotFound() Block { return failure(fault.Fault{Kind: fault.NotFound}) }

// AsEvent writes an error after the first chunk as an event, "data: {"error": ...}". The API was
// seen to write it bare, and clients to expect both.
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

// HTMLPage is a page in place of an answer, as proxies send them.
func HTMLPage(httpStatus int) Block {
	return failure(fault.Fault{Kind: fault.HTML, HTTPStatus: httpStatus})
}

// PlainText is a text in place of an answer; "" is one that proxies send.
func PlainText(httpStatus int, text string) Block {
	return failure(fault.Fault{Kind: fault.Text, HTTPStatus: httpStatus, Body: text})
}

// EmptyBody is nothing in place of an answer.
func EmptyBody(httpStatus int) Block {
	return failure(fault.Fault{Kind: fault.Empty, HTTPStatus: httpStatus})
}

// Redirect is 302 to another address.
func Redirect(location string) Block {
	return failure(fault.Fault{Kind: fault.Redirect, Location: location})
}

// Stall sends nothing more, until the client or the server goes away. As the first block it sends
// no header either; after blocks of an answer that is no stream, it sends the first half of that.
func Stall() Block { return failure(fault.Fault{Kind: fault.Stall}) }

// Cut closes the connection in the middle of the next event of a stream, or of the response.
func Cut() Block { return failure(fault.Fault{Kind: fault.Cut}) }

// Truncate ends a stream between two events, or a response after its first half, as if all were
// well.
func Truncate() Block { return failure(fault.Fault{Kind: fault.Truncate}) }

// Reset makes the connection fail for the client: as the first block before the header, else within
// the answer.
func Reset() Block { return failure(fault.Fault{Kind: fault.Reset}) }

// Garbage sends an event of a stream, or the end of a response, that is no JSON.
func Garbage() Block { return failure(fault.Fault{Kind: fault.Garbage}) }

// Slow sends what comes after it n bytes at a time, with a wait between them.
func Slow(n int, every time.Duration) Block {
	return failure(fault.Fault{Kind: fault.Slow, Bytes: n, Every: duration.Duration(every)})
}

// ContentType says that the answer is of another type than it is. It stands in front of all other
// blocks.
func ContentType(contentType string) Block {
	return failure(fault.Fault{Kind: fault.ContentType, ContentType: contentType})
}

// Large is a text of at least n bytes.
func Large(n int) Block { return failure(fault.Fault{Kind: fault.Large, Bytes: n}) }
