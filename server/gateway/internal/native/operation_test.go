package native_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/server/gateway/internal/native"
	"github.com/gemwire/gemwire/server/gateway/internal/secret"
	"github.com/google/go-cmp/cmp"
)

func TestAPathSaysWhatIsAskedFor(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]struct {
		op         native.Operation
		kind, name string
	}{
		"/v1beta/models/gemini-x:generateContent": {
			native.Operation{Path: "/v1beta/models/gemini-x:generateContent", Version: "v1beta",
				Model: "gemini-x", Verb: native.VerbGenerate}, "models", "gemini-x:generateContent",
		},
		"/v1beta/models/gemini-x%3AstreamGenerateContent": {
			native.Operation{Path: "/v1beta/models/gemini-x:streamGenerateContent",
				Version: "v1beta", Model: "gemini-x", Verb: native.VerbStream}, "models",
			"gemini-x:streamGenerateContent",
		},
		"/v1beta/models/org/model:7b:generateContent": {
			native.Operation{Path: "/v1beta/models/org/model:7b:generateContent", Version: "v1beta",
				Model: "org/model:7b", Verb: native.VerbGenerate}, "models",
			"org/model:7b:generateContent",
		},
		"/v1beta1/projects/p/locations/l/publishers/google/models/gemini-x:countTokens": {
			native.Operation{
				Path:    "/v1beta1/projects/p/locations/l/publishers/google/models/gemini-x:countTokens",
				Version: "v1beta1", IsVertexAI: true, Model: "gemini-x", Verb: "countTokens",
			}, "models", "gemini-x:countTokens",
		},
		"/v1beta/models/gemini-x:aAzZ": {
			native.Operation{Path: "/v1beta/models/gemini-x:aAzZ", Version: "v1beta",
				Model: "gemini-x", Verb: "aAzZ"}, "models", "gemini-x:aAzZ",
		},
		"/upload/v1beta/files":           {native.Operation{Path: "/upload/v1beta/files", Version: "upload"}, "files", ""},
		"/v1beta/files/abc":              {native.Operation{Path: "/v1beta/files/abc", Version: "v1beta"}, "files", "abc"},
		"/v1beta/corpora/c:query/d":      {native.Operation{Path: "/v1beta/corpora/c:query/d", Version: "v1beta"}, "corpora", "c:query/d"},
		"/v1beta/tunedModels/t:transfer": {native.Operation{Path: "/v1beta/tunedModels/t:transfer", Version: "v1beta", Model: "tunedModels/t", Verb: "transfer"}, "tunedModels", "t:transfer"},
	} {
		op, err := native.OperationOf(path)
		kind, name := op.Resource()
		if diff := cmp.Diff(want.op, op); diff != "" || err != nil || kind != want.kind ||
			name != want.name {
			t.Errorf("%s: %q %q\n%s", path, kind, name, diff)
		}
	}
}

func TestALocationCannotChangeTheHost(t *testing.T) {
	t.Parallel()
	for rest, want := range map[string]error{"global:evaluateInstances": nil,
		"us-east1/endpoints/1:predict": nil, "A.example/endpoints/1:predict": native.ErrLocation,
		"a_b:evaluateInstances": native.ErrLocation} {
		if _, err := native.OperationOf("/v1/projects/p/locations/" + rest); err != want {
			t.Errorf("%s: %v; want %v", rest, err, want)
		}
	}
}

func TestASegmentHasOnlyTheCharactersOfIDs(t *testing.T) {
	t.Parallel()
	for segment, want := range map[string]bool{
		"a": true, "z": true, "A": true, "Z": true, "0": true, "9": true, "a.b": true, "_": true,
		"-": true, "~": true, "a:b": true, "@": true, "...a": true,
		"%60": false, "%7B": false, "%5B": false, "%5E": false, "%2F": false, "%3B": false, "!": false,
		"a%00": false, "%C3%A4": false, ".": false, "..": false, "%2E%2E": false, "%": false,
	} {
		if _, err := native.OperationOf("/v1beta/files/" + segment); (err == nil) != want {
			t.Errorf("%q: %v", segment, err)
		}
	}
}

func TestAddressesOfGoogleLeadBackToTheGateway(t *testing.T) {
	t.Parallel()
	request := httptest.NewRequest(http.MethodPost, "http://gateway.test/upload/v1beta/files", nil)
	for address, want := range map[string]string{
		"https://api.test/upload/v1beta/files?upload_id=1": "http://gateway.test/upload/v1beta/files?upload_id=1",
		"/v1beta/files": "http://gateway.test/v1beta/files",
		"//elsewhere.test/upload/v1beta/files?upload_id=1": "http://gateway.test/upload/v1beta/files?upload_id=1",
		"https://elsewhere.test/page":                      "",
		"//elsewhere.test/page":                            "",
		"javascript:f()":                                   "",
	} {
		header := http.Header{}
		reply := &gemini.ForwardReply{Size: 3}
		reply.Header = http.Header{"X-Goog-Upload-Url": {address}, "Set-Cookie": {"a=b"},
			"Etag": {"e"}}
		native.SetReplyHeader(header, request, reply, &secret.List{})
		wanted := http.Header{"Etag": {"e"}, "Content-Length": {"3"},
			"Content-Security-Policy": {"default-src 'none'; sandbox"}}
		if want != "" {
			wanted.Set("X-Goog-Upload-Url", want)
		}
		if diff := cmp.Diff(wanted, header); diff != "" {
			t.Errorf("%s: %s", address, diff)
		}
	}
}

// A parameter of every Google API is refused in a query, and must not get in as a header.
func TestHeadersThatAreSystemParametersReachNoServer(t *testing.T) {
	t.Parallel()
	passed := http.Header{
		"Content-Type": {"application/json"}, "X-Goog-Api-Client": {"genai-js/1"}, "X-Goog-Upload-Protocol": {"resumable"},
		"X-Goog-Upload-Header-Content-Length": {"3"},
	}
	from := passed.Clone()
	for _, name := range []string{
		"X-Goog-Api-Key", "X-Goog-User-Project", "X-Goog-FieldMask", "X-Goog-Quota-User",
		"X-Goog-Callback", "X-Goog-Request-Params",
		"X-Goog-Iam-Authorization-Token", "X-Goog-Iam-Authority-Selector",
		"X-Goog-Encode-Response-If-Executable", "X-Goog-Visibilities",
		"X-HTTP-Method-Override", "Authorization", "Cookie",
	} {
		from.Set(name, "x")
	}
	if diff := cmp.Diff(passed, native.RequestHeader(from)); diff != "" {
		t.Error(diff)
	}
}

func TestAReplyHasTheLengthThatTheServerAnnounced(t *testing.T) {
	t.Parallel()
	for size, want := range map[int64]string{-1: "", 0: "0", 7: "7"} {
		header := http.Header{}
		native.SetReplyHeader(header, httptest.NewRequest(http.MethodGet, "/v1beta/files/f", nil),
			&gemini.ForwardReply{Size: size}, &secret.List{})
		if got := header.Get("Content-Length"); got != want {
			t.Errorf("%d bytes: the length is %q, want %q", size, got, want)
		}
	}
}
