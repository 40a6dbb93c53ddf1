package mediafetch_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gemwire/gemwire/pkg/mediafetch"
	"github.com/gemwire/gemwire/pkg/transform"
)

var (
	_ transform.MediaFetcher     = (*mediafetch.Fetcher)(nil)
	_ transform.MediaTypeFetcher = (*mediafetch.Fetcher)(nil)
)

var loopback = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"),
	netip.MustParsePrefix("::1/128")}

// png is the beginning of an image. It is enough to identify the image's type.
const png = "\x89PNG\r\n\x1a\n...."

// serve starts a server, and returns its address and a fetcher that may reach it.
func serve(t *testing.T, handler http.HandlerFunc, opts ...mediafetch.Option) (string,
	*mediafetch.Fetcher) {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	fetcher := mediafetch.New(append([]mediafetch.Option{mediafetch.WithNetworks(loopback...)},
		opts...)...)
	t.Cleanup(fetcher.Close)
	return server.URL, fetcher
}

// send returns a handler that sends a body with a content type; "" for none.
func send(contentType, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header()["Content-Type"] = nil
		if contentType != "" {
			w.Header().Set("Content-Type", contentType)
		}
		_, _ = w.Write([]byte(body))
	}
}

func TestMediaIsFetchedWithItsType(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ declared, body, want, wantHead string }{
		"as announced":                     {"image/jpeg", png, "image/jpeg", "image/jpeg"},
		"without parameters":               {"text/plain; charset=utf-8", "a", "text/plain", "text/plain"},
		"by the bytes, untold":             {"", png, "image/png", ""},
		"by the bytes, announced as vague": {"application/octet-stream", png, "image/png", ""},
		"by the bytes, announced as wrong": {"no type at all", png, "image/png", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			address, fetcher := serve(t, send(tt.declared, tt.body))
			mimeType, data, err := fetcher.Fetch(t.Context(), address+"/a")
			if err != nil || mimeType != tt.want || string(data) != tt.body {
				t.Errorf("Fetch: %q, %q, %v", mimeType, data, err)
			}
			if mimeType, err := fetcher.Head(t.Context(), address+"/a"); err != nil ||
				mimeType != tt.wantHead {
				t.Errorf("Head: %q, %v", mimeType, err)
			}
		})
	}
}

func TestOnlyTheListedTypesAreTaken(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		declared, body string
		opts           []mediafetch.Option
		taken          bool
	}{
		"a page":                     {"text/html", "<p>", nil, false},
		"a page, untold":             {"", "<html>", nil, false},
		"a list of one kind":         {"image/png", png, []mediafetch.Option{mediafetch.WithMIMETypes("audio/")}, false},
		"an exact type":              {"IMAGE/PNG", png, []mediafetch.Option{mediafetch.WithMIMETypes("image/PNG")}, true},
		"a type that begins like it": {"image/png2", png, []mediafetch.Option{mediafetch.WithMIMETypes("image/png")}, false},
		"an empty list":              {"image/png", png, []mediafetch.Option{mediafetch.WithMIMETypes()}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			address, fetcher := serve(t, send(tt.declared, tt.body), tt.opts...)
			_, _, err := fetcher.Fetch(t.Context(), address)
			if taken := err == nil; taken != tt.taken ||
				!taken && !errors.Is(err, mediafetch.ErrForbiddenType) {
				t.Errorf("Fetch: %v", err)
			}
			if _, err := fetcher.Head(t.Context(), address); tt.declared != "" &&
				(err == nil) != tt.taken {
				t.Errorf("Head: %v", err)
			}
		})
	}
}

func TestMediaBeyondTheLimitIsRefused(t *testing.T) {
	t.Parallel()
	body := strings.Repeat("a", 1000)
	for name, handler := range map[string]http.HandlerFunc{
		"told": send("text/plain", body),
		"untold": func(w http.ResponseWriter,
			r *http.Request) {
			w.(http.Flusher).Flush()
			send("text/plain", body)(w, r)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for limit, taken := range map[int64]bool{999: false, 1000: true} {
				address, fetcher := serve(t, handler, mediafetch.WithMaxBodySize(limit))
				_, data, err := fetcher.Fetch(t.Context(), address)
				if taken && (err != nil || len(data) != len(body)) ||
					!taken && !errors.Is(err, mediafetch.ErrTooLarge) {
					t.Errorf("limit %d: %d bytes, %v", limit, len(data), err)
				}
			}
		})
	}
}

func TestWithoutANetworkAllowedLoopbackIsForbidden(t *testing.T) {
	t.Parallel()
	address, _ := serve(t, send("image/png", png))
	fetcher := mediafetch.New()
	for _, address := range []string{address, strings.Replace(address, "127.0.0.1", "localhost", 1),
		"http://127.0.0.1/", "http://localhost/", "https://[::1]/", "http://169.254.169.254/latest", "http://10.0.0.1/", "http://0x7f000001/"} {
		_, _, err := fetcher.Fetch(t.Context(), address)
		var failure *mediafetch.Error
		if !errors.As(err, &failure) {
			t.Errorf("%s: %v", address, err)
		}
		if strings.Contains(address, "0x7f") {
			continue // a name that does not resolve everywhere
		}
		if !errors.Is(err, mediafetch.ErrForbiddenAddress) {
			t.Errorf("%s: %v", address, err)
		}
	}
}

func TestARedirectIntoAForbiddenNetworkIsNotFollowed(t *testing.T) {
	t.Parallel()
	address, fetcher := serve(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://10.1.2.3/secret", http.StatusFound)
	})
	if _, _, err := fetcher.Fetch(t.Context(), address); !errors.Is(err,
		mediafetch.ErrForbiddenAddress) {
		t.Errorf("got %v", err)
	}
}

func TestRedirectsAreFollowedAFewTimesAndLeakNothing(t *testing.T) {
	t.Parallel()
	address, fetcher := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Referer") != "" || r.Header.Get("Cookie") != "" ||
			r.Header.Get("Authorization") != "" {
			t.Errorf("got: %v", r.Header)
		}
		left, _ := strconv.Atoi(r.URL.Path[1:])
		if left == 0 {
			send("image/png", png)(w, r)
			return
		}
		http.SetCookie(w, &http.Cookie{Name: "a", Value: "b"})
		http.Redirect(w, r, "/"+strconv.Itoa(left-1)+"?secret=1", http.StatusFound)
	})
	if _, _, err := fetcher.Fetch(t.Context(), address+"/5"); err != nil {
		t.Errorf("five redirects: %v", err)
	}
	if _, _, err := fetcher.Fetch(t.Context(), address+"/6"); err == nil ||
		strings.Contains(err.Error(), "secret") {
		t.Errorf("six redirects: %v", err)
	}
}

func TestOddAddressesAreRefused(t *testing.T) {
	t.Parallel()
	fetcher := mediafetch.New(mediafetch.WithNetworks(loopback...))
	for _, address := range []string{"", "a", "ftp://127.0.0.1/a", "file:///etc/passwd",
		"http://user:pass@127.0.0.1/", "http:///a", "http://[::1", "gopher://127.0.0.1/", "http://127.0.0.1\x00/"} {
		_, _, err := fetcher.Fetch(t.Context(), address)
		var failure *mediafetch.Error
		if !errors.As(err, &failure) || strings.Contains(err.Error(), "pass") {
			t.Errorf("%q: %v", address, err)
		}
	}
}

func TestFaultsOfServersAreErrorsWithoutTheAddress(t *testing.T) {
	t.Parallel()
	for name, handler := range map[string]http.HandlerFunc{
		"not found": http.NotFound,
		"compressed": func(w http.ResponseWriter,
			_ *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
		},
		"cut off": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", "100")
			send("image/png", png)(w, r)
		},
		"hung up": func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			address, fetcher := serve(t, handler)
			_, _, err := fetcher.Fetch(t.Context(), address+"/path?token=secret")
			var failure *mediafetch.Error
			if !errors.As(err, &failure) || failure.Host != "127.0.0.1" ||
				strings.Contains(err.Error(), "secret") || strings.Contains(err.Error(), "path") {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestACancelledContextEndsTheCall(t *testing.T) {
	t.Parallel()
	reached, release := make(chan struct{}), make(chan struct{})
	address, fetcher := serve(t, func(w http.ResponseWriter, r *http.Request) {
		close(reached)
		<-release
	})
	t.Cleanup(func() { close(release) })
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-reached; cancel() }()
	if _, _, err := fetcher.Fetch(ctx, address); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestASlowServerIsGivenUp(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	address, fetcher := serve(t, func(http.ResponseWriter, *http.Request) { <-release },
		mediafetch.WithTimeout(time.Millisecond))
	t.Cleanup(func() { close(release) })
	_, _, err := fetcher.Fetch(t.Context(), address)
	if !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "too long") {
		t.Errorf("got %v", err)
	}
}

// A fetcher that is closed leaves nothing running; the bubble would not end otherwise.
func TestAFetcherStartsNothingByItself(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		fetcher := mediafetch.New()
		if _, err := fetcher.Head(t.Context(), "ftp://example.com/a"); err == nil {
			t.Error("an FTP address is taken")
		}
		fetcher.Close()
	})
}
