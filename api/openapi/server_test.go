package openapi_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiserver"
	"github.com/go-chi/chi/v5"
)

// routeServer answers each call with the pattern of the route that it took and the value of its
// parameter. Its operations are the operations of the description. None of them is implemented.
func routeServer() http.Handler {
	router := chi.NewRouter()
	tell := func(http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			route := chi.RouteContext(r.Context())
			w.Header().Set("Route", r.Method+" "+route.RoutePattern())
			if values := route.URLParams.Values; len(values) > 0 {
				w.Header().Set("Parameter", values[len(values)-1])
			}
		})
	}
	for _, base := range []string{"/v1beta", "/upload/v1beta",
		"/v1/projects/{project}/locations/{location}/publishers/google"} {
		geminiserver.HandlerWithOptions(geminiserver.Unimplemented{}, geminiserver.ChiServerOptions{
			BaseURL: base, BaseRouter: router, Middlewares: []geminiserver.MiddlewareFunc{tell},
		})
	}
	return router
}

func TestGeneratedServerRoutesEveryKindOfPath(t *testing.T) {
	t.Parallel()
	server := routeServer()
	for _, tc := range []struct{ method, path, route, parameter string }{
		{"POST", "/v1beta/models/gemini-3.6-flash:generateContent", "/v1beta/models/{model}:generateContent", "gemini-3.6-flash"},
		{"POST", "/v1beta/models/m:streamGenerateContent?alt=sse", "/v1beta/models/{model}:streamGenerateContent", "m"},
		{"POST", "/v1beta/models/a%2Fb:countTokens", "/v1beta/models/{model}:countTokens", "a%2Fb"},
		{"POST", "/v1beta/tunedModels/mine-1:generateContent", "/v1beta/tunedModels/{model}:generateContent", "mine-1"},
		{
			"POST", "/v1/projects/p/locations/global/publishers/google/models/m:generateContent",
			"/v1/projects/{project}/locations/{location}/publishers/google/models/{model}:generateContent",
			"m",
		},
		{"GET", "/v1beta/models", "/v1beta/models", ""},
		{"GET", "/v1beta/models/m", "/v1beta/models/{model}", "m"},
		{"GET", "/v1beta/files/abc-1", "/v1beta/files/{file}", "abc-1"},
		{"GET", "/v1beta/files/abc-1:download?alt=media", "/v1beta/files/{file}:download", "abc-1"},
		{"POST", "/upload/v1beta/files?upload_id=7", "/upload/v1beta/files", ""},
		{"PATCH", "/v1beta/cachedContents/c?updateMask=ttl", "/v1beta/cachedContents/{cachedContent}", "c"},
		{"POST", "/v1beta/batches/b:cancel", "/v1beta/batches/{batch}:cancel", "b"},
		{"DELETE", "/v1beta/batches/b", "/v1beta/batches/{batch}", "b"},
	} {
		answer := httptest.NewRecorder()
		server.ServeHTTP(answer, httptest.NewRequest(tc.method, tc.path, nil))
		if got, want := answer.Header().Get("Route"), tc.method+" "+tc.route; got != want {
			t.Errorf("%s %s took the route %q (HTTP %d), expected %q", tc.method, tc.path, got,
				answer.Code, want)
		}
		if got := answer.Header().Get("Parameter"); got != tc.parameter {
			t.Errorf("%s %s has the parameter %q, expected %q", tc.method, tc.path, got,
				tc.parameter)
		}
	}
}

func TestGeneratedServerHasNoRouteForUnknownMethods(t *testing.T) {
	t.Parallel()
	answer := httptest.NewRecorder()
	routeServer().ServeHTTP(answer,
		httptest.NewRequest("POST", "/v1beta/models/m:guessContent", nil))
	if answer.Code != http.StatusNotFound && answer.Code != http.StatusMethodNotAllowed {
		t.Errorf("HTTP %d for a method that is unknown", answer.Code)
	}
}
