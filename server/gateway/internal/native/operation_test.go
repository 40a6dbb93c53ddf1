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
			native.Operation{Path: "/v1beta/models/gemini-x:generateContent", Version: "v1beta", Model: "gemini-x", Verb: native.VerbGenerate}, "models", "gemini-x:generateContent",
		},
		"/v1beta/models/gemini-x%3AstreamGenerateContent": {
			native.Operation{Path: "/v1beta/models/gemini-x:streamGenerateContent", Version: "v1beta", Model: "gemini-x", Verb: native.VerbStream}, "models", "gemini-x:streamGenerateContent",
		},
		"/v1beta/models/org/model:7b:generateContent": {
			native.Operation{Path: "/v1beta/models/org/model:7b:generateContent", Version: "v1beta", Model: "org/model:7b", Verb: native.VerbGenerate}, "models", "org/model:7b:generateContent",
		},
		"/v1beta1/projects/p/locations/l/publishers/google/models/gemini-x:countTokens": {
			native.Operation{
				Path:    "/v1beta1/projects/p/locations/l/publishers/google/models/gemini-x:countTokens",
				Version: "v1beta1", IsVertexAI: true, Model: "gemini-x", Verb: "countTokens",
			}, "models", "gemini-x:countTokens",
		},
		"/upload/v1beta/files":           {native.Operation{Path: "/upload/v1beta/files", Version: "upload"}, "files", ""},
		"/v1beta/files/abc":              {native.Operation{Path: "/v1beta/files/abc", Version: "v1beta"}, "files", "abc"},
		"/v1beta/corpora/c:query/d":      {native.Operation{Path: "/v1beta/corpora/c:query/d", Version: "v1beta"}, "corpora", "c:query/d"},
		"/v1beta/tunedModels/t:transfer": {native.Operation{Path: "/v1beta/tunedModels/t:transfer", Version: "v1beta", Model: "tunedModels/t", Verb: "transfer"}, "tunedModels", "t:transfer"},
	} {
		op, err := native.OperationOf(path)
		kind, name := op.Resource()
		if diff := cmp.Diff(want.op, op); diff != "" || err != nil || kind != want.kind || name != want.name {
			t.Errorf("%s: %q %q\n%s", path, kind, name, diff)
		}
	}
}

func TestAddressesOfGoogleLeadBackToTheGateway(t *testing.T) {
	t.Parallel()
	request := httptest.NewRequest(http.MethodPost, "http://gateway.test/upload/v1beta/files", nil)
	for address, want := range map[string]string{
		"https://api.test/upload/v1beta/files?upload_id=1": "http://gateway.test/upload/v1beta/files?upload_id=1",
		"https://elsewhere.test/page":                      "https://elsewhere.test/page",
		"/v1beta/files":                                    "/v1beta/files",
	} {
		header := http.Header{}
		reply := &gemini.ForwardReply{Size: 3}
		reply.Header = http.Header{"X-Goog-Upload-Url": {address}, "Set-Cookie": {"a=b"}, "Etag": {"e"}}
		native.SetReplyHeader(header, request, reply, &secret.List{})
		if diff := cmp.Diff(http.Header{"X-Goog-Upload-Url": {want}, "Etag": {"e"}, "Content-Length": {"3"}, "Content-Security-Policy": {"default-src 'none'; sandbox"}}, header); diff != "" {
			t.Errorf("%s: %s", address, diff)
		}
	}
}
