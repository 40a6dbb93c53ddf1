package fakegemini_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/geminitest"
)

type oneToken string

func (o oneToken) Token(context.Context) (string, error) { return string(o), nil }

// manual is a text that is long enough to cache.
func manual() []geminiapi.Content {
	return []geminiapi.Content{gemini.UserText(strings.Repeat("word ", 2000))}
}

func TestACacheIsUsedUntilItExpires(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		client := clientOf(t, geminitest.NewServer(t), gemini.WithModel("gemini-2.5-flash"))
		cached, err := client.CachedContents.Create(t.Context(),
			&geminiapi.CachedContent{Contents: manual(), TTL: new("300s")})
		if err != nil {
			t.Fatal(err)
		}
		expires, err := time.Parse(time.RFC3339Nano, *cached.ExpireTime)
		if err != nil || time.Until(expires) != 5*time.Minute {
			t.Errorf("it expires in %v, %v", time.Until(expires), err)
		}
		ask := &geminiapi.GenerateContentRequest{CachedContent: cached.Name,
			Contents: []geminiapi.Content{gemini.UserText("Summarise.")}}
		response, err := client.GenerateContent(t.Context(), ask)
		if err != nil {
			t.Fatal(err)
		}
		tokens := *cached.UsageMetadata.TotalTokenCount
		if usage := response.UsageMetadata; *usage.CachedContentTokenCount != tokens ||
			*usage.PromptTokenCount <= tokens || tokens < 2000 {
			t.Errorf("%d tokens are cached, and the usage is %+v", tokens, usage)
		}
		counted, err := client.CountTokens(t.Context(),
			&geminiapi.CountTokensRequest{GenerateContentRequest: ask})
		if err != nil || *counted.CachedContentTokenCount != tokens ||
			*counted.TotalTokens != *response.UsageMetadata.PromptTokenCount {
			t.Errorf("counted %+v, %v", counted, err)
		}
		_, err = client.GenerateContent(t.Context(), ask, gemini.WithModel("gemini-2.5-pro"))
		expectRefusal(t, "another model", err, 400, "has to be the same")

		time.Sleep(4 * time.Minute)
		longer, err := client.CachedContents.Update(t.Context(), *cached.Name,
			&geminiapi.CachedContent{TTL: new("600s")}, nil)
		if err != nil || *longer.ExpireTime <= *cached.ExpireTime ||
			*longer.UpdateTime <= *cached.UpdateTime {
			t.Errorf("got %+v, %v", longer, err)
		}
		time.Sleep(9 * time.Minute)
		if _, err := client.CachedContents.Get(t.Context(), *cached.Name); err != nil {
			t.Error(err)
		}
		time.Sleep(time.Minute)
		_, err = client.CachedContents.Get(t.Context(), *cached.Name)
		expectRefusal(t, "an expired cache", err, 403,
			"CachedContent not found (or permission denied)")
		_, err = client.GenerateContent(t.Context(), ask)
		expectRefusal(t, "the use of an expired cache", err, 403,
			"CachedContent not found (or permission denied)")
	})
}

func TestCachesAreListedAndDeleted(t *testing.T) {
	t.Parallel()
	client := clientOf(t, geminitest.NewServer(t), gemini.WithModel("gemini-2.5-flash"))
	for range 3 {
		if _, err := client.CachedContents.Create(t.Context(),
			&geminiapi.CachedContent{Contents: manual()}); err != nil {
			t.Fatal(err)
		}
	}
	var names []string
	for cached, err := range client.CachedContents.List(t.Context(), gemini.WithPageSize(2)) {
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, *cached.Name)
	}
	if len(names) != 3 {
		t.Fatal(names)
	}
	if err := client.CachedContents.Delete(t.Context(), names[0]); err != nil {
		t.Error(err)
	}
	expectRefusal(t, "a deleted cache", client.CachedContents.Delete(t.Context(), names[0]), 403,
		"CachedContent not found")
}

func TestCachesThatTheRealServerRefuses(t *testing.T) {
	t.Parallel()
	client := clientOf(t, geminitest.NewServer(t))
	for what, tt := range map[string]struct {
		cached  geminiapi.CachedContent
		status  int
		message string
	}{
		"too small":          {geminiapi.CachedContent{Model: new("gemini-2.5-flash"), Contents: []geminiapi.Content{gemini.UserText("a b c")}}, 400, "Cached content is too small. total_token_count=3, min_total_token_count=1024"},
		"too small for Pro":  {geminiapi.CachedContent{Model: new("gemini-2.5-pro"), Contents: manual()}, 400, "min_total_token_count=4096"},
		"no such model":      {geminiapi.CachedContent{Model: new("gpt-4"), Contents: manual()}, 404, "models/gpt-4 is not found for API version v1beta, or is not supported for createCachedContent."},
		"a model without":    {geminiapi.CachedContent{Model: new("gemini-2.5-flash-image"), Contents: manual()}, 404, "is not supported for createCachedContent."},
		"no time":            {geminiapi.CachedContent{Model: new("gemini-2.5-flash"), Contents: manual(), TTL: new("5 minutes")}, 400, "invalid argument"},
		"a time without s":   {geminiapi.CachedContent{Model: new("gemini-2.5-flash"), Contents: manual(), TTL: new("300")}, 400, "invalid argument"},
		"no seconds":         {geminiapi.CachedContent{Model: new("gemini-2.5-flash"), Contents: manual(), TTL: new("0s")}, 400, "invalid argument"},
		"too many seconds":   {geminiapi.CachedContent{Model: new("gemini-2.5-flash"), Contents: manual(), TTL: new("3153600001s")}, 400, "invalid argument"},
		"no date":            {geminiapi.CachedContent{Model: new("gemini-2.5-flash"), Contents: manual(), ExpireTime: new("tomorrow")}, 400, "invalid argument"},
		"an unknown member":  {geminiapi.CachedContent{Model: new("gemini-2.5-flash"), Contents: manual(), Unknown: []byte(`{"x":1}`)}, 400, `Unknown name "x"`},
		"a time in the past": {geminiapi.CachedContent{Model: new("gemini-2.5-flash"), Contents: manual(), ExpireTime: new("2001-01-01T00:00:00Z")}, 400, "invalid argument"},
		"two times":          {geminiapi.CachedContent{Model: new("gemini-2.5-flash"), Contents: manual(), TTL: new("1s"), ExpireTime: new("2101-01-01T00:00:00Z")}, 400, "invalid argument"},
	} {
		_, err := client.CachedContents.Create(t.Context(), &tt.cached)
		expectRefusal(t, what, err, tt.status, tt.message)
	}
	_, err := client.CachedContents.Update(t.Context(), "none",
		&geminiapi.CachedContent{TTL: new("1s")}, nil)
	expectRefusal(t, "a change of no cache", err, 403, "CachedContent not found")
}

func TestOnlyTheTimeOfACacheCanBeChanged(t *testing.T) {
	t.Parallel()
	client := clientOf(t, geminitest.NewServer(t))
	cached, err := client.CachedContents.Create(t.Context(),
		&geminiapi.CachedContent{Model: new("gemini-2.5-flash"), Contents: manual(),
			ExpireTime: new("2101-01-01T00:00:00Z")})
	if err != nil || !strings.HasPrefix(*cached.ExpireTime, "2101-01-01T00:00:00") {
		t.Fatalf("got %+v, %v", cached, err)
	}
	for what, tt := range map[string]struct {
		change  geminiapi.CachedContent
		mask    []string
		message string
	}{
		"nothing":           {geminiapi.CachedContent{}, []string{"ttl"}, "invalid argument"},
		"the name":          {geminiapi.CachedContent{TTL: new("1s"), DisplayName: new("x")}, []string{"ttl", "displayName"}, "invalid argument"},
		"an unknown member": {geminiapi.CachedContent{TTL: new("1s"), Unknown: []byte(`{"x":1}`)}, nil, `Unknown name "x"`},
	} {
		_, err := client.CachedContents.Update(t.Context(), *cached.Name, &tt.change, tt.mask)
		expectRefusal(t, what, err, 400, tt.message)
	}
	for _, mask := range [][]string{nil, {"expireTime"}, {"expire_time"}} {
		changed, err := client.CachedContents.Update(t.Context(), *cached.Name,
			&geminiapi.CachedContent{ExpireTime: new("2102-01-01T00:00:00Z")}, mask)
		if err != nil || !strings.HasPrefix(*changed.ExpireTime, "2102-01-01T00:00:00") ||
			*changed.Model != *cached.Model {
			t.Errorf("by the mask %q: %+v, %v", mask, changed, err)
		}
	}
}

func TestCachesOfVertexAIAreThoseOfTheirProject(t *testing.T) {
	t.Parallel()
	srv := geminitest.NewServer(t)
	of := func(project string) *gemini.Client {
		client, err := gemini.NewClient(gemini.WithVertexAI(project, "us-central1"),
			gemini.WithTokenSource(oneToken("t")),
			gemini.WithHTTPClient(srv.HTTPClient()), gemini.WithModel("gemini-2.5-flash"))
		if err != nil {
			t.Fatal(err)
		}
		return client
	}
	cached, err := of("p").CachedContents.Create(t.Context(),
		&geminiapi.CachedContent{Contents: manual()})
	if err != nil || !strings.HasPrefix(*cached.Name,
		"projects/p/locations/us-central1/cachedContents/") {
		t.Fatalf("got %+v, %v", cached, err)
	}
	response, err := of("p").GenerateContent(t.Context(), &geminiapi.GenerateContentRequest{
		CachedContent: cached.Name, Contents: []geminiapi.Content{gemini.UserText("Summarise.")},
	})
	if err != nil || response.UsageMetadata.CachedContentTokenCount == nil {
		t.Errorf("got %+v, %v", response, err)
	}
	for project, want := range map[string]int{"p": 1, "q": 0} {
		count := 0
		for _, err := range of(project).CachedContents.List(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			count++
		}
		if count != want {
			t.Errorf("project %s has %d caches", project, count)
		}
	}
}

func TestAScriptedAnswerCountsTheCache(t *testing.T) {
	t.Parallel()
	srv := geminitest.NewServer(t,
		geminitest.WithScript(geminitest.On().Reply(geminitest.Text("In ", "short."))))
	client := clientOf(t, srv, gemini.WithModel("gemini-2.5-flash"))
	cached, err := client.CachedContents.Create(t.Context(),
		&geminiapi.CachedContent{Contents: manual()})
	if err != nil {
		t.Fatal(err)
	}
	tokens := *cached.UsageMetadata.TotalTokenCount
	ask := &geminiapi.GenerateContentRequest{CachedContent: cached.Name,
		Contents: []geminiapi.Content{gemini.UserText("Summarise.")}}
	response, err := client.GenerateContent(t.Context(), ask)
	if err != nil {
		t.Fatal(err)
	}
	for chunk, err := range client.StreamGenerateContent(t.Context(), ask) {
		if err != nil {
			t.Fatal(err)
		}
		for _, usage := range []*geminiapi.UsageMetadata{response.UsageMetadata,
			chunk.UsageMetadata} {
			if jsonx.Deref(usage.CachedContentTokenCount) != tokens ||
				*usage.PromptTokenCount <= tokens || len(usage.CacheTokensDetails) != 1 {
				t.Errorf("%d tokens are cached, and the usage is %+v", tokens, usage)
			}
		}
	}
}
