package gateway_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/server/gateway"
	"github.com/go-json-experiment/json"
)

// hostileUpstream answers every request with one status and a redirect address.
type hostileUpstream struct {
	status int
	body   string
	asked  atomic.Int64
}

func (u *hostileUpstream) RoundTrip(r *http.Request) (*http.Response, error) {
	u.asked.Add(1)
	if r.Body != nil {
		_, _ = io.Copy(io.Discard, r.Body)
		_ = r.Body.Close()
	}
	return &http.Response{
		StatusCode: u.status, Request: r, ContentLength: -1,
		Body: io.NopCloser(strings.NewReader(u.body)),
		Header: http.Header{"Content-Type": {"application/json"},
			"Location": {"https://elsewhere.example/secret"}},
	}, nil
}

// resourceRequests are requests for resources other than models' methods, by HTTP method and path.
var resourceRequests = [][2]string{
	{"GET", "/v1/models"}, {"GET", "/v1/models/unknown-model"}, {"GET", "/v1beta/models"}, {"GET", "/v1beta/models/gemini-2.5-pro"},
	{"GET", "/v1beta/models/mine"}, {"GET", "/v1beta/files"}, {"GET", "/v1beta/files/f"}, {"DELETE", "/v1beta/files/f"},
	{"GET", "/v1beta/files/f:download?alt=media"}, {"GET", "/download/v1beta/files/f:download?alt=media"},
	{"POST", "/upload/v1beta/files"}, {"POST", "/v1beta/cachedContents"}, {"PATCH", "/v1beta/cachedContents/c"},
	{"GET", "/v1beta/batches/b"}, {"GET", "/v1beta/operations/o"}, {"GET", "/v1beta/models/m/operations/o"}, {"POST", "/v1alpha/interactions"},
}

// everyRequest sends a request of each form and path, and calls a function with each answer.
func everyRequest(handler http.Handler,
	answered func(what string, answer *httptest.ResponseRecorder)) {
	for form, request := range requestsFor("gemini-2.5-pro") {
		answered(form, post(handler, request[0], request[1]))
	}
	for _, request := range resourceRequests {
		in := httptest.NewRequest(request[0], request[1], strings.NewReader("{}"))
		in.Header.Set("Content-Type", "application/json")
		answer := httptest.NewRecorder()
		handler.ServeHTTP(answer, in)
		answered(request[0]+" "+request[1], answer)
	}
}

// hostileGateways returns a gateway for each kind of upstream.
func hostileGateways(t testing.TB, u *hostileUpstream) map[string]*gateway.Handler {
	out := map[string]*gateway.Handler{}
	for _, service := range []gateway.Service{gateway.GeminiAPI, gateway.OpenAI} {
		out[string(service)] = newGateway(t, gateway.WithMaxAttempts(1),
			gateway.WithAliases(map[string]string{"mine": "gemini-2.5-pro"}),
			gateway.WithUpstream(gateway.Upstream{
				Service: service, BaseURL: "https://upstream.example/v1", Accounts: accounts("one"),
				HTTPClient: &http.Client{Transport: u},
			}))
	}
	return out
}

// isErrorBody reports whether an answer is an error in any form.
func isErrorBody(answer *httptest.ResponseRecorder) bool {
	var envelope struct {
		Error struct {
			Message string `json:"message"`
		} `json:"error"`
	}
	return json.Unmarshal(answer.Body.Bytes(), &envelope) == nil && envelope.Error.Message != ""
}

// Clients can handle only 200 and errors. After a redirect they would send keys elsewhere.
func TestOtherStatusesOfTheUpstreamAreBadAnswers(t *testing.T) {
	t.Parallel()
	statuses := []int{-1, 0, 1, 99, 100, 101, 103, 199, 202, 204, 205, 206, 226, 299, 300, 301, 302,
		303, 304, 305, 307, 308, 399, 600, 700, 999, 1000}
	if testing.Short() {
		statuses = []int{0, 101, 204, 206, 302, 304, 308, 600, 999, 1000}
	}
	for _, status := range statuses {
		u := &hostileUpstream{status: status, body: wholeAnswer}
		for service, handler := range hostileGateways(t, u) {
			everyRequest(handler, func(what string, answer *httptest.ResponseRecorder) {
				asked := u.asked.Swap(0)
				isOfDownload := strings.Contains(what, "download") &&
					(status == 206 || status == 304)
				isListOfGiven := what == "GET /v1/models" // which has the aliases all the same
				switch {
				case isOfDownload && asked > 0, isListOfGiven:
				case asked > 0 && (answer.Code != http.StatusBadGateway || !isErrorBody(answer)):
					t.Errorf("%d of %s, %s: HTTP %d: %s", status, service, what, answer.Code,
						answer.Body)
				case asked > 2: // the list of models, and the model
					t.Errorf("%d of %s, %s: asked %d times", status, service, what, asked)
				case asked == 0 && answer.Code < 400:
					t.Errorf("%s, %s: HTTP %d without asking", service, what, answer.Code)
				}
				if all := fmt.Sprint(answer.Header(), answer.Body); strings.Contains(all,
					"elsewhere.example") || answer.Header().Get("Location") != "" {
					t.Errorf("%d of %s, %s leads elsewhere: %s", status, service, what, all)
				}
			})
		}
	}
}

// Clients get the upstream's error statuses, including unusual ones.
func TestStatusesOfErrorsReachClients(t *testing.T) {
	t.Parallel()
	for _, status := range []int{400, 418, 451, 499, 500, 503, 511, 599} {
		u := &hostileUpstream{status: status,
			body: fmt.Sprintf(`{"error":{"code":%d,"message":"no","status":"UNKNOWN"}}`, status)}
		for service, handler := range hostileGateways(t, u) {
			everyRequest(handler, func(what string, answer *httptest.ResponseRecorder) {
				isOK := answer.Code == http.StatusOK &&
					(what == "GET /v1/models" || strings.HasSuffix(what, "/mine"))
				if u.asked.Swap(0) > 0 && !isOK && (answer.Code < 400 || answer.Code > 599) {
					t.Errorf("%d of %s, %s: HTTP %d: %s", status, service, what, answer.Code,
						answer.Body)
				}
			})
		}
	}
}

// An error within an answer names its own status, which the upstream chooses.
func TestStatusesWithinAnswersAreThoseOfErrors(t *testing.T) {
	t.Parallel()
	for _, code := range []string{"-1", "0", "1", "100", "101", "204", "302", "600", "999", "1000",
		"99999", "1e3", `"302"`, "null", "{}"} {
		failure := `{"error":{"code":` + code + `,"message":"no","status":"ODD"}}`
		for _, body := range []string{failure, "[" + failure + "]", "data: " + failure + "\n\n"} {
			u := &hostileUpstream{status: http.StatusOK, body: body}
			for service, handler := range hostileGateways(t, u) {
				for form, request := range requestsFor("gemini-2.5-pro") {
					answer := post(handler, request[0], request[1])
					isPassed := strings.HasPrefix(form, "native") && answer.Code == http.StatusOK &&
						service == string(gateway.GeminiAPI)
					if !isPassed && answer.Code < 400 || answer.Code > 599 {
						t.Errorf("%s of %s, %s: HTTP %d: %s", body, service, form, answer.Code,
							answer.Body)
					}
				}
			}
		}
	}
}

// A download may redirect only to another path of the same server.
func TestADownloadIsRedirectedOnlyToTheGateway(t *testing.T) {
	t.Parallel()
	const path = "/v1beta/files/f:download?alt=media"
	for address, want := range map[string]string{
		"https://upstream.example/download/v1beta/files/f:download?alt=media": "/download/v1beta/files/f:download?alt=media",
		"/download/v1beta/files/f":                "/download/v1beta/files/f",
		"https://upstream.example/internal":       "",
		"http://upstream.example/download/f":      "",
		"https://u:p@upstream.example/download/f": "",
		"https://elsewhere.example/download/f":    "",
		"//elsewhere.example/download/f":          "",
		"download/f":                              "",
		"::":                                      "",
		"":                                        "",
	} {
		handler := newGateway(t, gateway.WithUpstream(gateway.Upstream{
			Service: gateway.GeminiAPI, BaseURL: "https://upstream.example",
			Accounts: accounts("one"),
			HTTPClient: gemini.DoerFunc(func(r *http.Request) (*http.Response, error) {
				return &http.Response{StatusCode: 302, Header: http.Header{"Location": {address}},
					Body: io.NopCloser(strings.NewReader("to " + address)), Request: r}, nil
			}),
		}))
		answer := get(handler, path)
		status := http.StatusFound
		if want == "" {
			status = http.StatusBadGateway
		}
		if answer.Code != status || answer.Header().Get("Location") != want {
			t.Errorf("%q: HTTP %d to %q", address, answer.Code, answer.Header().Get("Location"))
		}
		if body := answer.Body.String(); strings.Contains(body, "to ") &&
			status == http.StatusFound {
			t.Errorf("%q: the body is %s", address, body)
		}
	}
}

// An upstream may send arbitrary data in place of an HTTP answer. Clients get none of the data.
func TestAnAnswerThatIsNotHTTPIsABadAnswer(t *testing.T) {
	t.Parallel()
	const quoted = "quoted-by-the-upstream"
	for name, junk := range map[string]string{
		"a line":              quoted + "\r\n\r\n",
		"another protocol":    "RTSP/9.0 200 " + quoted + "\r\n\r\n",
		"a status of letters": "HTTP/1.1 2OO " + quoted + "\r\n\r\n",
		"a line after a 1xx":  "HTTP/1.1 199 OK\r\n\r\n" + quoted + "\r\n\r\n",
		"1xx for ever": strings.Repeat("HTTP/1.1 103 "+quoted+"\r\nLink: "+
			strings.Repeat("x", 4000)+"\r\n\r\n", 3000),
		"a header without colon": "HTTP/1.1 200 OK\r\n" + quoted + "\r\n\r\n{}",
		"headers for ever": "HTTP/1.1 200 OK\r\n" +
			strings.Repeat("X-A: "+strings.Repeat("x", 4000)+"\r\n", 3000) + "\r\n{}",
		"two lengths":         "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
		"a length of letters": "HTTP/1.1 200 OK\r\nContent-Length: " + quoted + "\r\n\r\n{}",
		"another encoding":    "HTTP/1.1 200 OK\r\nTransfer-Encoding: " + quoted + "\r\n\r\n{}",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := httptest.NewServer(
				http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					_, _ = io.Copy(io.Discard, r.Body)
					connection, _, err := w.(http.Hijacker).Hijack()
					if err != nil {
						t.Error(err)
						return
					}
					_, _ = io.WriteString(connection, junk)
					_ = connection.Close()
				}))
			defer server.Close()
			for _, service := range []gateway.Service{gateway.GeminiAPI, gateway.OpenAI} {
				handler := newGateway(t, gateway.WithMaxAttempts(1),
					gateway.WithUpstream(gateway.Upstream{
						Service: service, BaseURL: server.URL, Accounts: accounts("one"),
						HTTPClient: http.DefaultClient,
					}))
				for form, request := range requestsFor("gemini-2.5-pro") {
					answer := post(handler, request[0], request[1])
					if strings.Contains(answer.Body.String(), "the upstream speaks OpenAI's API") {
						continue // it is not asked
					}
					if answer.Code != http.StatusBadGateway || !isErrorBody(answer) ||
						strings.Contains(answer.Body.String(), quoted) {
						t.Errorf("%s, %s: HTTP %d: %s", service, form, answer.Code, answer.Body)
					}
				}
			}
		})
	}
}
