package inspector_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gemwire/gemwire/server/inspector"
	"github.com/gemwire/gemwire/server/usage"
)

// spent is a book with the usage of two keys.
func spent(t *testing.T, now time.Time) *usage.Book {
	t.Helper()
	book, err := usage.Open(t.Context(), usage.WithClock(func() time.Time { return now }))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = book.Close(t.Context()) })
	book.Add(usage.Key{Client: "alice", Model: "m", Tier: "standard", Currency: "USD"},
		&usage.Counts{Requests: 2, InputTokens: 10, OutputTokens: 5, Cost: 1_500_000_000})
	book.Add(usage.Key{Client: "alice", Model: "m", Tier: "flex", Currency: "USD"},
		&usage.Counts{Requests: 1, Failures: 1, InputTokens: 1, Cost: 1})
	book.Add(usage.Key{Client: "=1+1", Model: "x", Unpriced: "x has no price"},
		&usage.Counts{Requests: 1, InputTokens: 7, UnpricedTokens: 7})
	return book
}

func TestThePageAsksForTheSpendOfDays(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC)
	b := open(t, inspector.WithSpend(spent(t, now)),
		inspector.WithClock(func() time.Time { return now }))
	want := `{"shown":true,"today":"2026-11-28","rows":[{"day":"2026-11-28","client":"=1+1",` +
		`"model":"x","currency":"","unpriced":"x has no price","requests":1,"failures":0,"tokens":7,` +
		`"unpricedTokens":7,"cost":0},{"day":"2026-11-28","client":"alice","model":"m",` +
		`"currency":"USD","unpriced":"","requests":3,"failures":1,"tokens":16,"unpricedTokens":0,` +
		`"cost":1.500000001}],"killed":0,"upTo":0}`
	if got := b.get("/api/spend?days=1"); got != want {
		t.Errorf("%s; want %s", got, want)
	}
	status, header, text := b.do(http.MethodGet, "/api/spend.csv?days=7", "")
	if status != http.StatusOK || !strings.Contains(header.Get("Content-Disposition"),
		"gemwire-spend.csv") || !strings.Contains(text,
		"2026-11-28,alice,m,,flex,,1,1,1,0,0,0,0.000000001,USD,0,\n") ||
		!strings.Contains(text, "2026-11-28,'=1+1,x,") {
		t.Errorf("HTTP %d, %v: %s", status, header, text)
	}
}

func TestAnInspectorWithoutUsageDoesNotOfferTheSpend(t *testing.T) {
	t.Parallel()
	b := open(t)
	if got := b.get("/api/spend"); !strings.Contains(got, `"shown":false`) {
		t.Error(got)
	}
	if status, _, _ := b.do(http.MethodGet, "/api/spend.csv", ""); status != http.StatusNotFound {
		t.Errorf("HTTP %d", status)
	}
}
