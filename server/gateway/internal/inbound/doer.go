// Package inbound checks an upstream's answers before other code reads them: the status, which
// clients see, and the size, which must fit into memory.
//
//	200, 201              an answer, which is 200 from here on
//	4xx, 5xx              an error
//	206, 304, a redirect  for a download ([Download]); a redirect only to another path of the same server
//	anything else         a *[StatusError], or an *[AnswerError] if it is not HTTP
//
// It follows no redirect. It reads at most [Doer.Limit] bytes of an answer; a larger answer is a
// *[SizeError].
package inbound

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/gemwire/gemwire/internal/transporterror"
	"github.com/gemwire/gemwire/pkg/gemini"
)

// Doer checks the answers of another doer. [NewDoer] makes it.
type Doer struct {
	below gemini.Doer
	limit int64
}

// NewDoer returns a Doer that limits each answer to limit bytes. It makes an *http.Client stop
// following redirects.
func NewDoer(below gemini.Doer, limit int64) *Doer {
	if client, ok := below.(*http.Client); ok {
		own := *client
		own.CheckRedirect = func(*http.Request,
			[]*http.Request) error {
			return http.ErrUseLastResponse
		}
		below = &own
	}
	return &Doer{below: below, limit: limit}
}

// StatusError reports an answer whose status is neither a success nor an error.
type StatusError struct {
	// Status is the received status.
	Status int
}

// Error returns the status.
func (e *StatusError) Error() string {
	return fmt.Sprintf("the upstream answered with the status %03d; expected 200 or an error",
		e.Status)
}

// AnswerError reports bytes that are not an HTTP answer.
type AnswerError struct {
	// Err is the error of the transport. It may quote the bytes.
	Err error
}

// Error does not quote the bytes.
func (e *AnswerError) Error() string { return "the upstream's answer is not a valid HTTP answer" }

// Unwrap returns Err.
func (e *AnswerError) Unwrap() error { return e.Err }

// notHTTP are texts of net/http's errors for a malformed answer. These errors have no types.
var notHTTP = []string{
	"malformed HTTP ", "malformed MIME header", "1xx informational responses",
	"response headers exceeded", "transfer encoding", "Content-Length",
}

func isNotHTTP(err error) bool {
	text := err.Error()
	return slices.ContainsFunc(notHTTP,
		func(words string) bool { return strings.Contains(text, words) })
}

// SizeError reports an answer above the limit.
type SizeError struct {
	// Limit is the maximum size of an answer in bytes.
	Limit int64
}

// Error returns the limit.
func (e *SizeError) Error() string {
	const format = "the upstream's answer is larger than the limit of %d bytes (--max-answer-size)"
	return fmt.Sprintf(format, e.Limit)
}

// Do sends a request and checks the answer. Its error knows the host ([transporterror.Host]).
func (d *Doer) Do(request *http.Request) (*http.Response, error) {
	response, err := d.below.Do(request)
	if err != nil && isNotHTTP(err) {
		return nil, &AnswerError{err}
	}
	if err != nil || response == nil {
		return response, transporterror.WithHost(err, request.URL)
	}
	if response.Body == nil {
		response.Body = http.NoBody
	}
	a := answerOf(request.Context())
	if err := d.check(request, response, a); err != nil {
		_ = response.Body.Close() // of which nothing is read
		return nil, err
	}
	if a.isDownload {
		return response, nil
	}
	response.Body = &limitedBody{response.Body, a, d.limit}
	return response, nil
}

// check checks the status and the header of an answer.
func (d *Doer) check(request *http.Request, response *http.Response, a *answer) error {
	switch status := response.StatusCode; {
	case status == http.StatusOK, status >= 400 && status < 600:
	case status == http.StatusCreated: // of servers that answer every POST so
		response.StatusCode = http.StatusOK
	case a.isDownload && isOfDownload(request, response):
	default:
		return &StatusError{status}
	}
	isAnswer := response.StatusCode == http.StatusOK && !a.isDownload
	if isAnswer && response.ContentLength > d.limit {
		return &SizeError{d.limit}
	}
	return nil
}

// isOfDownload reports whether the status is valid for a download: a range, not modified, or a
// redirect.
func isOfDownload(request *http.Request, response *http.Response) bool {
	switch status := response.StatusCode; status {
	case http.StatusPartialContent, http.StatusNotModified:
		return true
	case http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect,
		http.StatusPermanentRedirect:
		address := response.Header.Get("Location")
		to, err := request.URL.Parse(address)
		return address != "" && err == nil && to.Scheme == request.URL.Scheme &&
			to.Host == request.URL.Host && to.User == nil
	default:
		return false
	}
}

// limitedBody is the body of an answer, or of a part of it.
type limitedBody struct {
	io.ReadCloser
	answer *answer
	limit  int64
}

func (b *limitedBody) Read(p []byte) (int, error) {
	if b.answer.size.Load() > b.limit {
		return 0, &SizeError{b.limit}
	}
	n, err := b.ReadCloser.Read(p)
	if b.answer.size.Add(int64(n)) > b.limit {
		return 0, &SizeError{b.limit}
	}
	return n, err
}
