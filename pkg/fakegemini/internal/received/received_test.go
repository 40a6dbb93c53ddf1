package received_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/fakegemini/internal/received"
	"github.com/gemwire/gemwire/pkg/gemini/models"
	"github.com/google/go-cmp/cmp"
)

func TestRoutes(t *testing.T) {
	t.Parallel()
	const gemini, vertex = models.GeminiAPI, models.VertexAI
	for path, want := range map[string]received.Route{
		"/v1beta/models/gemini-2.5-flash:generateContent": {Backend: gemini, Version: "v1beta", Resource: "models/gemini-2.5-flash", Operation: "generateContent", Model: "gemini-2.5-flash"},
		"/v1beta/models":                         {Backend: gemini, Version: "v1beta", Resource: "models"},
		"/v1beta/tunedModels/x:countTokens":      {Backend: gemini, Version: "v1beta", Resource: "tunedModels/x", Operation: "countTokens", Model: "tunedModels/x"},
		"/v1beta/cachedContents/x":               {Backend: gemini, Version: "v1beta", Resource: "cachedContents/x"},
		"/upload/v1beta/files":                   {Backend: gemini, Version: "v1beta", Resource: "files"},
		"/v1/publishers/google/models/m:predict": {Backend: vertex, Version: "v1", Resource: "publishers/google/models/m", Operation: "predict", Model: "m"},
		"/v1/projects/p/locations/l/publishers/google/models/m:streamGenerateContent": {
			Backend: vertex, Version: "v1",
			Resource:  "projects/p/locations/l/publishers/google/models/m",
			Operation: "streamGenerateContent", Model: "m"},
		"/v1/projects/p/locations/l/endpoints/1:generateContent": {
			Backend: vertex, Version: "v1", Resource: "projects/p/locations/l/endpoints/1",
			Operation: "generateContent", Model: "endpoints/1"},
		"/v1beta/models/a%2Fb:generateContent": {Backend: gemini, Version: "v1beta", Resource: "models/a/b", Operation: "generateContent"},
		"/":                                    {Backend: gemini},
	} {
		u, err := url.Parse(path)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, received.RouteOf(u)); diff != "" {
			t.Errorf("%s: %s", path, diff)
		}
	}
}

// No part of a request shows its key or token, however it is printed.
func TestRequestsHoldNoSecret(t *testing.T) {
	t.Parallel()
	const secret = "s3cr3t"
	for _, where := range []string{"X-Goog-Api-Key", "Authorization", "Cookie",
		"Proxy-Authorization", "key", "$key", "access_token", "user"} {
		r := httptest.NewRequest(http.MethodPost, "/v1beta/models/m:generateContent?alt=sse",
			strings.NewReader(`{}`))
		switch {
		case where == "user":
			r.URL.User = url.UserPassword("a", secret)
		case strings.ToLower(where) == where:
			r.URL.RawQuery += "&" + url.QueryEscape(where) + "=" + secret
		default:
			r.Header.Set(where, "Bearer "+secret)
		}
		credential := received.CredentialOf(r)
		_, request, err := received.Read(r)
		if err != nil {
			t.Fatal(err)
		}
		for _, value := range []any{request, *request, request.URL, credential, &credential,
			received.KeyOf(secret)} {
			encoded, err := json.Marshal(value)
			if err != nil {
				t.Error(err)
			}
			if text := fmt.Sprintf("%v %+v %#v %s %q %s", value, value, value, value, value,
				encoded); strings.Contains(text, secret) {
				t.Errorf("%s: %T shows it: %s", where, value, text)
			}
		}
		if !request.Stream && request.URL.Query().Get("alt") != "sse" {
			t.Errorf("%s: the rest of the address is lost: %s", where, request.URL)
		}
	}
}

// Every handler after the first can read a body again.
func TestBodiesCanBeReadAgain(t *testing.T) {
	t.Parallel()
	r := httptest.NewRequest(http.MethodPost, "/v1beta/models/m:countTokens",
		strings.NewReader(`{"generateContentRequest":{"contents":[{"parts":[{"text":"Hi"}]}]}}`))
	r, request, err := received.Read(r)
	if err != nil {
		t.Fatal(err)
	}
	again, same, err := received.Read(r)
	if err != nil || string(same.Body) != string(request.Body) ||
		*received.From(again).Content.Contents[0].Parts[0].Text != "Hi" {
		t.Errorf("got %+v, %v", same, err)
	}
	if received.From(httptest.NewRequest(http.MethodGet, "/", nil)) != nil {
		t.Error("a request that was not read has one")
	}
}
