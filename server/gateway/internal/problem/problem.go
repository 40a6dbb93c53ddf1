// Package problem describes why a request gets no answer. It converts errors of Gemini calls,
// unknown members and broken answers to problems, and writes problems in Google's form.
package problem

import (
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/gemwire/gemwire/pkg/transform"
)

// Problem is the reason why a request gets no answer. A form writes it in its API's format. It
// holds no credential, and nothing of a body except what the upstream's own message quotes.
type Problem struct {
	// Status is the HTTP status code. Within a stream it is the status that would have been sent.
	Status int
	// Type and Code are OpenAI's, such as "invalid_request_error" and "context_length_exceeded".
	// Code may be "".
	Type, Code string
	// Param is the pointer of the invalid member, or "".
	Param string
	// Message is for people.
	Message string
	// RetryAfter is how long to wait before a retry, or 0 if that is unknown.
	RetryAfter time.Duration
	// IsFinal says that a retry within minutes cannot help.
	IsFinal bool
	// IsBudget says that a budget of the gateway is used up. Resets is when it resets, or zero.
	IsBudget bool
	Resets   time.Time
	// Err is the underlying error, or nil if the gateway itself refuses. Clients do not see it.
	Err error
}

// The types of problems.
const (
	TypeInvalidRequest = transform.TypeInvalidRequest
	TypeRateLimit      = transform.TypeRateLimit
	TypeQuota          = transform.TypeQuota
	TypeServer         = transform.TypeServer
)

// InForm returns the problem in a form's words.
func (p *Problem) InForm(requestID string) *transform.Error {
	return &transform.Error{
		Status: p.Status, Type: p.Type, Code: p.Code, Param: p.Param, Message: p.Message,
		RetryAfter: p.RetryAfter, RequestID: requestID,
	}
}

// Error returns the message.
func (p *Problem) Error() string { return "gateway: " + p.Message }

// Unwrap returns Err.
func (p *Problem) Unwrap() error { return p.Err }

// longestWait is the longest retry hint that clients obey. With a longer hint some sleep for hours,
// and others ignore it and retry at once.
const longestWait = time.Minute

// The maximum length of a problem's texts in bytes. A text may quote a name of any length from the
// body.
const (
	maxMessage = 8 << 10
	maxParam   = 1 << 10
)

// Shorten cuts a text that is too long for an error.
func (p *Problem) Shorten() {
	p.Message, p.Param = shortened(p.Message, maxMessage), shortened(p.Param, maxParam)
}

func shortened(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most] + "…"
}

// longestHint is the longest wait that is reported. A longer wait from a server is not useful as a
// hint.
const longestHint = 24 * time.Hour

// In returns the problem with its location below a prefix. It is for code that read only a part of
// a larger document.
func (p *Problem) In(list, own string) *Problem {
	if rest, isIn := strings.CutPrefix(p.Param, list+"/"); isIn {
		p.Param = own + "/" + rest
		p.Message = strings.Replace(p.Message, list+"/"+rest, p.Param, 1)
	}
	return p
}

// SetHeaders sets the response headers of a problem.
func (p *Problem) SetHeaders(header http.Header) {
	if p.RetryAfter > 0 {
		seconds := (p.RetryAfter + time.Second - 1) / time.Second
		header.Set("Retry-After", strconv.FormatInt(int64(seconds), 10))
		header.Set("Retry-After-Ms", strconv.FormatInt(p.RetryAfter.Milliseconds(), 10))
	}
	if p.IsFinal || p.RetryAfter > longestWait {
		header.Set("X-Should-Retry", "false")
	}
}

// Invalid is the problem of a request with an invalid member.
func Invalid(code, param, message string) *Problem {
	return &Problem{Status: http.StatusBadRequest, Type: TypeInvalidRequest, Code: code,
		Param: param, Message: message}
}

// codeUnreadableBody is the code of [UnreadableBody].
const codeUnreadableBody = "unreadable_body"

// UnreadableBody is the problem of a body that ends before its length, or before its last chunk.
func UnreadableBody() *Problem {
	return Invalid(codeUnreadableBody, "", "the body ended early")
}

// IsOfBody reports whether the problem is a body that ended too early. The client may have closed
// its sending side, and may still wait for the answer.
func (p *Problem) IsOfBody() bool { return p.Code == codeUnreadableBody }

// ClientLeft is the problem of a client that closed the connection, or its sending side, before the
// answer. A client that closed only its sending side can read it.
func ClientLeft() *Problem {
	return &Problem{
		Status: StatusClientLeft, Type: TypeInvalidRequest, Code: codeClientLeft,
		Message: "the client closed its side of the connection before the answer; keep both sides open until the answer arrives",
	}
}

// Stopped is the problem of a background response that a client has ended. Clients must not retry
// it.
func Stopped(cause error) *Problem {
	return &Problem{Status: StatusClientLeft, Type: TypeInvalidRequest, Code: "cancelled",
		Message: cause.Error(), IsFinal: true}
}

func Closing() *Problem {
	return &Problem{
		Status: http.StatusServiceUnavailable, Type: TypeServer, Code: "shutting_down",
		Message: "the gateway is shutting down", RetryAfter: time.Second,
	}
}
