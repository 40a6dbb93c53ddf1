package gemini_test

import (
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/go-json-experiment/json/jsontext"
)

func TestNothingIsStoredUnlessACallerAsksForIt(t *testing.T) {
	t.Parallel()
	type opts = []gemini.ClientOption
	type callOpts = []gemini.CallOption
	asked := func(store bool) *geminiapi.GenerateContentRequest {
		request := prompt("m")
		request.Store = &store
		return request
	}
	const none, off, on = "", `"store":false`, `"store":true`
	for name, tt := range map[string]struct {
		request *geminiapi.GenerateContentRequest
		client  opts
		call    callOpts
		want    string
	}{
		"by default":                          {prompt("m"), nil, nil, off},
		"by the client":                       {prompt("m"), opts{gemini.WithStorage(gemini.StorageOn)}, nil, on},
		"by the call":                         {prompt("m"), nil, callOpts{gemini.WithStorage(gemini.StorageOn)}, on},
		"the call before the client":          {prompt("m"), opts{gemini.WithStorage(gemini.StorageOn)}, callOpts{gemini.WithStorage(gemini.StorageOff)}, off},
		"the default again":                   {prompt("m"), opts{gemini.WithStorage(gemini.StorageOn)}, callOpts{gemini.WithStorage("")}, off},
		"as the project has it":               {prompt("m"), opts{gemini.WithStorage(gemini.StorageByProject)}, nil, none},
		"the request before all":              {asked(true), opts{gemini.WithStorage(gemini.StorageOff)}, nil, on},
		"the request that refuses":            {asked(false), opts{gemini.WithStorage(gemini.StorageOn)}, nil, off},
		"a member of the body":                {prompt("m"), nil, callOpts{gemini.WithBodyMember("/store", jsontext.Value("true"))}, on},
		"Vertex AI":                           {prompt("m"), opts{gemini.WithVertexAIExpress(), gemini.WithStorage(gemini.StorageOn)}, nil, none},
		"Vertex AI where the request says so": {asked(false), opts{gemini.WithVertexAIExpress()}, nil, off},
	} {
		stored := func(body string) string {
			for _, member := range []string{off, on} {
				if strings.Contains(body, member) {
					return member
				}
			}
			return none
		}
		server := &recordingDoer{answers: []string{answer}}
		client := newClient(t, append(tt.client, gemini.WithHTTPClient(server))...)
		before := tt.request.Store
		if _, err := client.GenerateContent(t.Context(), tt.request, tt.call...); err != nil {
			t.Fatal(name, err)
		}
		for _, err := range client.StreamGenerateContent(t.Context(), tt.request, tt.call...) {
			if err != nil {
				t.Fatal(name, err)
			}
		}
		for _, body := range server.bodies {
			if got := stored(body); got != tt.want {
				t.Errorf("%s: got %q of %s, want %q", name, got, body, tt.want)
			}
		}
		if tt.request.Store != before {
			t.Errorf("%s: the request of the caller was changed", name)
		}
	}
}

func TestNothingOfABatchIsStoredUnlessARequestAsksForIt(t *testing.T) {
	t.Parallel()
	batch := &geminiapi.GenerateContentBatch{Model: new("m"),
		InputConfig: &geminiapi.BatchInputConfig{
			Requests: &geminiapi.InlinedRequests{Requests: []geminiapi.InlinedRequest{
				{Request: &geminiapi.GenerateContentRequest{}}, {Request: &geminiapi.GenerateContentRequest{Store: new(true)}}, {},
			}},
		}}
	server := &recordingDoer{answers: []string{`{"name":"batches/b"}`}}
	client := newClient(t, gemini.WithHTTPClient(server))
	if _, err := client.Batches.Create(t.Context(), batch); err != nil {
		t.Fatal(err)
	}
	const want = `"requests":[{"request":{"store":false}},{"request":{"store":true}},{}]`
	if !strings.Contains(server.bodies[0], want) {
		t.Error(server.bodies[0])
	}
	if batch.InputConfig.Requests.Requests[0].Request.Store != nil {
		t.Error("the batch of the caller was changed")
	}
}

func TestAnUnknownStorageIsRefused(t *testing.T) {
	t.Parallel()
	_, err := gemini.NewClient(gemini.WithAPIKey("k"), gemini.WithStorage("never"))
	if err == nil || !strings.Contains(err.Error(),
		`"never" is not a storage; use "off", "on" or "project"`) {
		t.Error(err)
	}
}
