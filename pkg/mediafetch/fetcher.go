package mediafetch

import (
	"context"
	"errors"
	"io"
	"mime"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/gemwire/gemwire/internal/option"
)

// Fetcher downloads media. Make one with [New] and use it for all requests, because it reuses
// connections. It is safe for concurrent use.
type Fetcher struct {
	maxBodySize int64
	types       []string
	timeout     time.Duration
	guard       guard
	client      *http.Client
}

// New returns a fetcher that connects only to the public internet.
func New(opts ...Option) *Fetcher {
	f := &Fetcher{maxBodySize: defaultMaxBodySize, types: defaultTypes, timeout: defaultTimeout}
	option.Apply(f, opts)
	dialer := &net.Dialer{Control: f.guard.control}
	f.client = &http.Client{
		Transport: &http.Transport{
			Proxy:                  nil, // a proxy would connect in our place, unguarded
			DialContext:            dialer.DialContext,
			DisableCompression:     true,
			ForceAttemptHTTP2:      true,
			MaxIdleConnsPerHost:    2,
			IdleConnTimeout:        defaultTimeout,
			MaxResponseHeaderBytes: 64 << 10,
		},
		CheckRedirect: checkRedirect,
	}
	return f
}

// Close closes idle connections. The fetcher can still be used.
func (f *Fetcher) Close() { f.client.CloseIdleConnections() }

// Head returns the media type at an address, without parameters and without downloading the media.
// It returns "" if the server does not report it. The error is an *[Error].
func (f *Fetcher) Head(ctx context.Context, address string) (mimeType string, err error) {
	ctx, cancel := context.WithTimeout(ctx, f.timeout)
	defer cancel()
	answer, err := f.ask(ctx, http.MethodHead, address)
	if err != nil {
		return "", err
	}
	defer answer.Body.Close()
	mimeType = declaredType(answer)
	if mimeType != "" && !f.takes(mimeType) {
		return "", forbiddenType(address)
	}
	return mimeType, nil
}

// Fetch downloads the media at an address. The media type is the server's, without parameters. If
// the server reports none, or application/octet-stream, the type is inferred from the first bytes.
// The error is an *[Error].
func (f *Fetcher) Fetch(ctx context.Context, address string) (mimeType string, data []byte,
	err error) {
	ctx, cancel := context.WithTimeout(ctx, f.timeout)
	defer cancel()
	answer, err := f.ask(ctx, http.MethodGet, address)
	if err != nil {
		return "", nil, err
	}
	defer answer.Body.Close()
	if mimeType = declaredType(answer); mimeType != "" && !f.takes(mimeType) {
		return "", nil, forbiddenType(address)
	}
	if answer.ContentLength > f.maxBodySize {
		return "", nil, tooLarge(address)
	}
	data, err = io.ReadAll(io.LimitReader(answer.Body, f.maxBodySize+1))
	if err != nil {
		return "", nil, newError(address, "the media was not sent to its end", err)
	}
	if int64(len(data)) > f.maxBodySize {
		return "", nil, tooLarge(address)
	}
	if mimeType == "" {
		mimeType = baseType(http.DetectContentType(data))
	}
	if !f.takes(mimeType) {
		return "", nil, forbiddenType(address)
	}
	return mimeType, data, nil
}

// ask sends a request and returns the answer if it is a success.
func (f *Fetcher) ask(ctx context.Context, method, address string) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, method, address, nil)
	if err != nil {
		return nil, &Error{Reason: "the address is not a URL", Err: err}
	}
	if reason := checkURL(request.URL); reason != "" {
		return nil, &Error{Host: request.URL.Hostname(), Reason: reason}
	}
	answer, err := f.client.Do(request)
	if err != nil {
		return nil, newError(address, reasonOf(err), err)
	}
	if answer.StatusCode != http.StatusOK {
		_ = answer.Body.Close()
		return nil, newError(address, "the server answered "+answer.Status, nil)
	}
	if encoding := answer.Header.Get("Content-Encoding"); encoding != "" && encoding != "identity" {
		_ = answer.Body.Close()
		return nil, newError(address, "the server compressed the media without being asked", nil)
	}
	return answer, nil
}

// checkURL returns what is wrong with an address, "" if nothing is.
func checkURL(u *url.URL) string {
	switch {
	case u.Scheme != "http" && u.Scheme != "https":
		return "the address is neither http nor https"
	case u.User != nil:
		return "the address has a user name"
	case u.Hostname() == "":
		return "the address names no host"
	default:
		return ""
	}
}

const maxRedirects = 5

// errRedirect is wrapped by the error for a redirect that is not followed.
var errRedirect = errors.New("a redirect is not followed")

func checkRedirect(next *http.Request, before []*http.Request) error {
	downgraded := next.URL.Scheme == "http" && before[len(before)-1].URL.Scheme == "https"
	if len(before) > maxRedirects || downgraded || checkURL(next.URL) != "" {
		return errRedirect
	}
	next.Header.Del("Referer") // addresses may hold secrets
	return nil
}

// reasonOf describes why a request failed, without the quotes in the standard library's errors.
func reasonOf(err error) string {
	var timeout net.Error
	switch {
	case errors.Is(err, ErrForbiddenAddress):
		return ErrForbiddenAddress.Error()
	case errors.Is(err, errRedirect):
		return errRedirect.Error()
	case errors.Is(err, context.Canceled):
		return "the call was cancelled"
	case errors.As(err, &timeout) && timeout.Timeout():
		return "the server took too long"
	default:
		return "the server could not be reached"
	}
}

func newError(address, reason string, cause error) *Error {
	out := &Error{Reason: reason, Err: cause}
	if u, err := url.Parse(address); err == nil {
		out.Host = u.Hostname()
	}
	return out
}

func forbiddenType(address string) *Error {
	return newError(address, ErrForbiddenType.Error(), ErrForbiddenType)
}

func tooLarge(address string) *Error { return newError(address, ErrTooLarge.Error(), ErrTooLarge) }

// declaredType returns the media type that the server reports, "" if it reports none or a
// meaningless one.
func declaredType(answer *http.Response) string {
	mimeType := baseType(answer.Header.Get("Content-Type"))
	if mimeType == "application/octet-stream" {
		return ""
	}
	return mimeType
}

// baseType returns a media type without its parameters, "" for an invalid one.
func baseType(header string) string {
	mimeType, _, err := mime.ParseMediaType(header)
	if err != nil {
		return ""
	}
	return mimeType
}

func (f *Fetcher) takes(mimeType string) bool {
	return slices.ContainsFunc(f.types, func(taken string) bool {
		if strings.HasSuffix(taken, "/") {
			return strings.HasPrefix(mimeType, strings.ToLower(taken))
		}
		return strings.EqualFold(mimeType, taken)
	})
}
