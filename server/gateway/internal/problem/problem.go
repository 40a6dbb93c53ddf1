// Package problem has why a request gets no answer: what becomes of an error of a call of Gemini,
// of a member that nobody knows and of an answer that is none, and how Google writes it.
package problem

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/gemwire/gemwire/pkg/transform"
)

// Problem is why a request gets no answer. A form writes it in its own terms. It holds no
// credential, and nothing of a body but what the upstream's own message quotes.
type Problem struct {
	// Status is the status code of HTTP. Within a stream it is what it would have been.
	Status int
	// Type and Code are OpenAI's, such as "invalid_request_error" and "context_length_exceeded";
	// Code may be "".
	Type, Code string
	// Param is the pointer of the member at fault, "" for none.
	Param string
	// Message is for people.
	Message string
	// RetryAfter is how long to wait before another try, 0 where nobody knows.
	RetryAfter time.Duration
	// IsFinal is whether another try within minutes is in vain.
	IsFinal bool
	// Err is what went wrong, nil where the gateway itself refuses. It is not for clients.
	Err error
}

// The types of problems.
const (
	TypeInvalidRequest = transform.TypeInvalidRequest
	TypeRateLimit      = transform.TypeRateLimit
	TypeQuota          = transform.TypeQuota
	TypeServer         = transform.TypeServer
)

// InForm returns what a form says of the problem of a request.
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

// longestWait is that of a hint which clients keep: some sleep for hours if they are told to,
// others pass over it and come back at once.
const longestWait = time.Minute

// The most bytes of what a problem says: it may quote a name out of the body, which has any length.
const (
	maxMessage = 8 << 10
	maxParam   = 1 << 10
)

// Shorten cuts what is too long for an error.
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

// longestHint is the longest wait that is told. What a server asks for beyond that is no hint any
// more.
const longestHint = 24 * time.Hour

// In returns the problem with its place in another list, where what was read is a part of a larger
// whole for the code that found it.
func (p *Problem) In(list, own string) *Problem {
	if rest, isIn := strings.CutPrefix(p.Param, list+"/"); isIn {
		p.Param = own + "/" + rest
		p.Message = strings.Replace(p.Message, list+"/"+rest, p.Param, 1)
	}
	return p
}

// SetHeaders sets what clients read of a problem besides its body.
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

// Invalid is a request that is not as it should be, at a member.
func Invalid(code, param, message string) *Problem {
	return &Problem{Status: http.StatusBadRequest, Type: TypeInvalidRequest, Code: code,
		Param: param, Message: message}
}

// codeUnreadableBody is the code of [UnreadableBody].
const codeUnreadableBody = "unreadable_body"

// UnreadableBody is the problem of a body that ends before its length, or before its last chunk.
func UnreadableBody() *Problem {
	return Invalid(codeUnreadableBody, "", "the body could not be read to its end")
}

// IsOfBody reports whether the problem is that a body ended too early. The client may have closed
// its side by that, and still waits for the answer.
func (p *Problem) IsOfBody() bool { return p.Code == codeUnreadableBody }

// ClientLeft is the problem of a client that closed the connection, or its side of it, before there
// was an answer. Only the latter reads it.
func ClientLeft() *Problem {
	return &Problem{
		Status: StatusClientLeft, Type: TypeInvalidRequest, Code: codeClientLeft,
		Message: "the client closed its side of the connection before the answer; keep both sides open until the answer is there",
	}
}

// NotServed is for a path that the gateway does not have. Clients try 501 again, and 404 not.
func NotServed(r *http.Request) *Problem {
	message := "this gateway does not serve " + r.Method + " " + r.URL.Path +
		baseURLHint(r.URL.Path)
	return &Problem{Status: http.StatusNotFound, Type: TypeInvalidRequest, Code: "unknown_url",
		Message: message}
}

// baseURLHint says what is wrong with the base URL of a client that asks for a path, "" if that
// cannot be told.
func baseURLHint(path string) string {
	if strings.HasPrefix(path, "/v1/v1/") || strings.HasPrefix(path, "/v1/v1beta/") {
		return "; the base URL of this client must not end in /v1"
	}
	first, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	if slices.Contains(belowV1, first) {
		return "; the base URL of this client must end in /v1"
	}
	return ""
}

// belowV1 are the first words of the paths of OpenAI's and Anthropic's APIs.
var belowV1 = []string{"chat", "responses", "messages", "embeddings", "models", "conversations",
	"files", "batches", "completions"}

// Stopped is the problem of a response in the background that a client has ended. No client may try
// it again.
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
