package gateway_test

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/geminitest"
	"github.com/gemwire/gemwire/server/gateway"
	"github.com/gemwire/gemwire/server/gateway/accesslog"
)

// unreachable is a transport whose connections fail, as those of [http.Transport] do: without an
// address of the request.
func unreachable(err error) gemini.Doer {
	return gemini.DoerFunc(func(*http.Request) (*http.Response, error) { return nil, err })
}

var (
	errRefused = &net.OpError{Op: "dial", Net: "tcp",
		Addr: &net.TCPAddr{IP: net.IPv4(10, 0, 0, 7), Port: 443}, Err: syscall.ECONNREFUSED}
	errNoSuchHost = &net.OpError{Op: "dial", Net: "tcp",
		Err: &net.DNSError{Err: "no such host", Name: "gemini.internal", Server: "10.0.0.53:53"}}
	errWrongCertificate = &tls.CertificateVerificationError{
		Err: x509.HostnameError{Certificate: &x509.Certificate{DNSNames: []string{"other.internal"}},
			Host: "gemini.internal"}}
)

// TestAnUpstreamThatCannotBeReachedIsNamedToWhoMayKnowIt covers the answer in each form, the log
// and what the inspector gets.
func TestAnUpstreamThatCannotBeReachedIsNamedToWhoMayKnowIt(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		service   gateway.Service
		baseURL   string
		err       error
		host      string // in log and inspector
		want, not string // in the answer
	}{
		"Google's host": {gateway.GeminiAPI, "", errNoSuchHost,
			"generativelanguage.googleapis.com:443",
			"cannot connect to generativelanguage.googleapis.com:443: dial tcp: lookup: no such host",
			"the upstream"},
		"this machine": {gateway.GeminiAPI, "http://127.0.0.1:9/gemini", errRefused, "127.0.0.1:9",
			"cannot connect to 127.0.0.1:9: dial tcp: connection refused", "the upstream"},
		"an internal host": {gateway.GeminiAPI, "https://gemini.internal/a-secret-path", errNoSuchHost,
			"gemini.internal:443",
			"cannot connect to the upstream (Gemini API): dial tcp: lookup: no such host; the gateway's log names its host",
			"internal"},
		"an internal server of chat_completions": {gateway.OpenAI, "https://gemini.internal:81/v1", errRefused,
			"gemini.internal:81", "cannot connect to the upstream (chat_completions): dial tcp: connection refused",
			"internal"},
		"a connection that breaks": {gateway.GeminiAPI, "https://gemini.internal",
			&net.OpError{Op: "read", Net: "tcp", Err: syscall.ECONNRESET}, "gemini.internal:443",
			"the connection to the upstream (Gemini API) failed: read tcp: connection reset by peer", "internal"},
		"a wrong certificate": {gateway.GeminiAPI, "https://gemini.internal", errWrongCertificate, "gemini.internal:443",
			"cannot connect to the upstream (Gemini API): the certificate is not valid", "internal"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for form, request := range generatingRequests("gemini-3.6-flash") {
				d, log := &diary{}, &bytes.Buffer{}
				handler := newGateway(t, gateway.WithUpstream(gateway.Upstream{
					Service: test.service, BaseURL: test.baseURL, HTTPClient: unreachable(test.err),
					Accounts: accounts("p"),
				}), gateway.WithMaxAttempts(1), gateway.WithObserver(d,
					accesslog.New(slog.New(slog.NewTextHandler(log, nil)))))
				body := post(handler, request[0], request[1]).Body.String()
				if !strings.Contains(body, test.want) || strings.Contains(body, test.not) ||
					strings.Contains(body, "10.0.0") {
					t.Errorf("%s: got %s, want %s", form, body, test.want)
				}
				if line := log.String(); !strings.Contains(line, " upstream_host="+test.host+" ") {
					t.Errorf("%s: logged %s, want %s", form, line, test.host)
				}
				p := d.last()
				if len(p.attempts) != 1 || !strings.HasPrefix(p.attempts[0].Err, test.host+": ") {
					t.Errorf("%s: got the attempts %+v, want %s", form, p.attempts, test.host)
				}
				for _, text := range []string{body, log.String(), p.attempts[0].Err} {
					if strings.Contains(text, "key-a") || strings.Contains(text, "secret") {
						t.Errorf("%s: a secret in %s", form, text)
					}
				}
			}
		})
	}
}

func TestAResourceOfAnUpstreamThatCannotBeReachedIsLoggedWithTheHost(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"/v1beta/files", "/v1beta/models/gemini-3.6-flash", "/v1/models"} {
		log := &bytes.Buffer{}
		handler := newGateway(t, gateway.WithUpstream(gateway.Upstream{
			Service: gateway.GeminiAPI, BaseURL: "https://gemini.internal",
			HTTPClient: unreachable(errRefused), Accounts: accounts("p"),
		}), gateway.WithMaxAttempts(1),
			gateway.WithObserver(accesslog.New(slog.New(slog.NewTextHandler(log, nil)))))
		answer := get(handler, path)
		if !strings.Contains(answer.Body.String(), "cannot connect to the upstream (Gemini API)") ||
			!strings.Contains(log.String(), "upstream_host=gemini.internal:443") {
			t.Errorf("%s: got %s, logged %s", path, answer.Body, log)
		}
	}
}

func TestTheProgramItselfIsToldTheHostOfItsUpstream(t *testing.T) {
	t.Parallel()
	handler := newGateway(t, gateway.WithUpstream(gateway.Upstream{
		Service: gateway.GeminiAPI, BaseURL: "https://gemini.internal",
		HTTPClient: unreachable(errRefused), Accounts: accounts("p"),
	}), gateway.WithMaxAttempts(1), gateway.WithClientKeys(keysOf(t, "alice")))
	for client, want := range map[string]string{
		"":      "cannot connect to gemini.internal:443: dial tcp: connection refused",
		"alice": "cannot connect to the upstream (Gemini API): dial tcp: connection refused; the gateway's log names its host",
	} {
		_, err := handler.Answer(t.Context(), &gateway.Request{Path: chatPath, Body: []byte(hello),
			Client: client})
		failed, ok := errors.AsType[*gateway.Error](err)
		if !ok || failed.Message != want || !failed.Unreached ||
			!strings.Contains(string(failed.Body), want) {
			t.Errorf("%q: got %v, want %s", client, err, want)
		}
	}
}

// TestAHostIsLoggedOnlyIfTheRequestFailedThere has a first attempt that fails, and a client that
// leaves.
func TestAHostIsLoggedOnlyIfTheRequestFailedThere(t *testing.T) {
	t.Parallel()
	server, calls := geminitest.NewServer(t), 0
	d := &diary{}
	handler := newGateway(t, gateway.WithObserver(d), gateway.WithMaxAttempts(2),
		gateway.WithUpstream(gateway.Upstream{
			Service: gateway.GeminiAPI, BaseURL: "https://gemini.internal", Accounts: accounts("p"),
			HTTPClient: gemini.DoerFunc(func(r *http.Request) (*http.Response, error) {
				if calls++; calls == 1 {
					return nil, io.ErrUnexpectedEOF
				}
				return server.HTTPClient().Do(r)
			})}))
	if answer := post(handler, chatPath, hello); answer.Code != http.StatusOK ||
		len(d.last().attempts) != 2 || d.last().end.UpstreamHost != "" {
		t.Errorf("HTTP %d, %+v", answer.Code, d.last())
	}
	left := newGateway(t, gateway.WithObserver(d), gateway.WithUpstream(gateway.Upstream{
		Service: gateway.GeminiAPI, BaseURL: "https://gemini.internal", Accounts: accounts("p"),
		HTTPClient: unreachable(context.Canceled)}))
	if post(left, chatPath, hello); d.last().end.UpstreamHost != "" {
		t.Errorf("got %+v", d.last().end)
	}
}
