package inspector_test

import (
	"fmt"
	"github.com/gemwire/gemwire/server/gateway/exchange"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/server/gateway/exchange/exchangetest"
	"github.com/gemwire/gemwire/server/inspector"
)

// found is the answer to a search.
type found struct {
	Total   int
	Numbers []int
	Matches map[string][]struct{ Where, Pointer, Before, Hit, After string }
	Error   string
	At      int
	Query   string
}

func (b *browser) search(query string) (f found) {
	b.t.Helper()
	b.into("/api/search?q="+url.QueryEscape(query), &f)
	return f
}

// scenes plays one scene of each kind that ends, and waits until all are recorded.
func (b *browser) scenes() {
	for _, scene := range exchangetest.All() {
		if !scene.Hangs {
			b.gateway.Play(scene)
		}
	}
	for n := 1; n <= b.gateway.Played(); n++ {
		b.detail(n)
	}
}

func TestEverythingRecordedIsSearched(t *testing.T) {
	t.Parallel()
	b := open(t, inspector.WithBodies())
	b.scenes() // lossy, result, streamed, limited, quota, refused, hostile, picture, left, broken
	for query, want := range map[string]string{
		"porto":                             "[2 1]",
		`"last train from Porto"`:           "[2 1]",
		`"Take the bus at 7:55 from Campo"`: "[10 3]", // put together from chunks
		"client:team-search status:ok":      "[2 1]",
		"status:failed":                     "[10 9 6 5]",
		"status:429":                        "[5]",
		"lost:/logit_bias":                  "[1]",
		"lost:/messages/*/name":             "[1]",
		"model:gemini-2.5 -status:failed":   "[4]",
		"has:image":                         "[8]",
		"has:calls":                         "[2 1]",
		"is:stream":                         "[10 9 3]",
		"tool:find_trains":                  "[2 1]",
		"error:rate_limited":                "[5]",
		`error:"used up"`:                   "[5 4]",
		">3s":                               "[4]",
		"first>500ms":                       "[10 9 3]",
		"tokens>1200":                       "[8 4]",
		"header:user-agent=langchain":       "[6]",
		`"weights for tokens"`:              "[1]", // the reason of a loss
		`<script> -status:failed`:           "[7]",
		"nowhere":                           "[]",
		"since:24h id:req_":                 "[10 9 8 7 6 5 4 3 2 1]",
		"until:24h":                         "[]",
	} {
		got := b.search(query)
		if fmt.Sprint(got.Numbers) != want || got.Error != "" || got.Total != len(got.Numbers) {
			t.Errorf("%s: %+v, expected %s", query, got, want)
		}
	}
	m := b.search(`"LAST  train" id:req_0000000000005eed`).Matches["1"]
	if len(m) != 1 || m[0].Where != "client request" || m[0].Hit != "last train" ||
		m[0].Pointer != "/messages/1/content/0/text" || !strings.HasSuffix(m[0].Before, "the ") {
		t.Errorf("%+v", m)
	}
}

func TestAnInvalidQuerySaysWhere(t *testing.T) {
	t.Parallel()
	b := open(t)
	got := b.search("😀é status:nice")
	if got.At != 4 || !strings.Contains(got.Error, "expected failed, ok, running") ||
		got.Numbers == nil {
		t.Errorf("%+v", got)
	}
	if b.into("/api/search?q=%ff%fe:%22", &got); got.Query != "\uFFFD:\"" {
		t.Errorf("invalid UTF-8: %+v", got)
	}
	if status, _, _ := b.do(http.MethodGet, "/api/search?q="+strings.Repeat("x", 5000),
		""); status != http.StatusBadRequest {
		t.Errorf("a long query: HTTP %d", status)
	}
}

func TestAQueryIsCompleted(t *testing.T) {
	t.Parallel()
	b := open(t, inspector.WithBodies())
	b.scenes()
	var words []struct {
		Text, Label, Detail string
		From, To            int
	}
	b.into("/api/search/words?at=8&q="+url.QueryEscape("é client x"), &words)
	if len(words) != 1 || words[0].Text != "client:" || words[0].From != 2 || words[0].To != 8 {
		t.Errorf("%+v", words)
	}
	words = nil
	b.into("/api/search/words?q="+url.QueryEscape("client:t"), &words)
	if len(words) != 2 || words[0].Text != "client:travel-app" ||
		words[0].Detail != "4 requests" || words[1].Text != "client:team-search" {
		t.Errorf("%+v", words)
	}
}

func TestAPauseIsFoundByItsAccount(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.Begin(exchange.Start{ID: "paused", At: morning}).End(exchange.End{Status: 429,
		Rest: &exchange.Rest{Account: "default", By: "req_1"}})
	b.ended(1)
	var found struct{ Total int }
	if b.into("/api/search?q=account:default", &found); found.Total != 1 {
		t.Errorf("%d requests, expected 1", found.Total)
	}
}
