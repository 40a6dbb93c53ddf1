package problem_test

import (
	"net/http"
	"testing"

	"github.com/gemwire/gemwire/server/gateway/internal/problem"
)

func TestAPathThatIsNotServedHintsAtTheRightPathAndTheBaseURL(t *testing.T) {
	t.Parallel()
	use := func(path, wrong string) string {
		return "; use " + path + ": the base URL of this client must " + wrong
	}
	for path, want := range map[string]string{
		"/chat/completions":         use("/v1/chat/completions", "end in /v1"),
		"/responses":                use("/v1/responses", "end in /v1"),
		"/messages/count_tokens":    use("/v1/messages/count_tokens", "end in /v1"),
		"/models":                   use("/v1/models", "end in /v1"),
		"/v1beta/chat/completions":  use("/v1/chat/completions", "end in /v1"),
		"/v1beta/responses":         use("/v1/responses", "end in /v1"),
		"/v1beta/messages":          use("/v1/messages", "end in /v1"),
		"/openai/chat/completions":  use("/v1/chat/completions", "end in /v1"),
		"/openai/models":            use("/v1/models", "end in /v1"),
		"/v1/openai/responses":      use("/v1/responses", "end in /v1"),
		"/openai/v1/responses":      use("/v1/responses", "not contain /openai"),
		"/anthropic/v1/messages":    use("/v1/messages", "not contain /anthropic"),
		"/api/v1/models/m":          use("/v1/models/m", "not contain /api"),
		"/v1beta/openai/v1/models":  use("/v1/models", "not contain /v1beta/openai"),
		"/v1/v1/models":             use("/v1/models", "not end in /v1"),
		"/v1/v1/messages":           use("/v1/messages", "not end in /v1"),
		"/v1/v1/v1/messages":        use("/v1/messages", "not end in /v1/v1"),
		"/v1/v1beta/models":         use("/v1beta/models", "not end in /v1"),
		"/v1/v1beta/files/f":        use("/v1beta/files/f", "not end in /v1"),
		"/v1beta/v1beta/models/m":   use("/v1beta/models/m", "not end in /v1beta"),
		"/v1/v1beta/models/m:embed": use("/v1beta/models/m:embed", "not end in /v1"),
		"/models/m:generateContent": use("/v1beta/models/m:generateContent", "end in /v1beta"),
		"/cachedContents":           use("/v1beta/cachedContents", "end in /v1beta"),
		"/gemini/v1beta/models/m:generateContent": use("/v1beta/models/m:generateContent",
			"not contain /gemini"),
		"/openai/deployments/mine/chat/completions": use("/v1/chat/completions", "end in /v1"),
		// no such path with any base URL
		"/v1/nothing": "", "/": "", "/v1": "", "/v1/v1": "", "/chats": "", "/v1/v1beta/x": "",
		"/chat/x": "", "/completions": "", "/v1/vector_stores/a/files": "", "/openai": "",
		// the path is right, and the method is wrong
		"/v1/chat/completions": "", "/v1/models": "", "/v1/interactions": "",
		"/v1beta/interactions": "", "/v1beta/openai/chat/completions": "",
		"/v1/messages/batches": "", "/v1beta/openai/models": "",
	} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, path, nil)
		if err != nil {
			t.Fatal(err)
		}
		if p := problem.NotServed(r); p.Message != "this gateway does not serve GET "+path+want ||
			p.Status != http.StatusNotFound {
			t.Errorf("%s: got %d, %q", path, p.Status, p.Message)
		}
	}
}

func TestAPathBelowGooglesVersionMayBelongToAnotherAPI(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]bool{
		"/v1beta/chat/completions": true, "/v1beta/responses/r": true, "/v1beta/messages": true,
		"/v1alpha/embeddings": true, "/v1beta/models": false, "/v1beta/files/f": false,
		"/v1beta/batches": false, "/v1beta/interactions": false, "/v1beta/dynamic/x": false,
		"/v1beta": false, "/": false, "/upload/v1beta/files": false,
	} {
		if got := problem.IsOfOtherAPI(path); got != want {
			t.Errorf("%s: got %v, want %v", path, got, want)
		}
	}
}
