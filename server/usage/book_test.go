package usage_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/server/gateway/exchange"
	"github.com/gemwire/gemwire/server/internal/engine/enginetest"
	"github.com/gemwire/gemwire/server/ratecard"
	"github.com/gemwire/gemwire/server/usage"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func open(t *testing.T, opts ...usage.Option) *usage.Book {
	t.Helper()
	book, err := usage.Open(t.Context(), opts...)
	if err != nil {
		t.Fatal(err)
	}
	return book
}

func closeBook(t *testing.T, book *usage.Book) {
	t.Helper()
	if err := book.Close(t.Context()); err != nil {
		t.Error(err)
	}
}

func rowsOf(t *testing.T, book *usage.Book, from, until string) []usage.Row {
	t.Helper()
	rows, err := book.Rows(t.Context(), from, until)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// at returns a clock that stands still.
func at(day string) usage.Option {
	now, err := time.Parse(time.DateOnly, day)
	if err != nil {
		panic(err)
	}
	return usage.WithClock(func() time.Time { return now })
}

func TestReplicasAddUpAndARepeatedWriteCountsOnce(t *testing.T) {
	t.Parallel()
	e := enginetest.Open(t)
	day := at("2026-11-28")
	var all sync.WaitGroup
	const replicas, requests = 3, 200
	books := make([]*usage.Book, replicas)
	for i := range books {
		books[i] = open(t, usage.In(e), day)
		all.Go(func() {
			for n := range requests {
				books[i].Add(usage.Key{Client: "alice", Model: fmt.Sprintf("m%d", n%7)},
					&usage.Counts{Requests: 1, InputTokens: 3, Cost: 7})
				if n%50 == 0 {
					_, _ = books[i].Flush(t.Context()), books[i].Flush(t.Context())
				}
			}
		})
	}
	all.Wait()
	for _, book := range books {
		if err := book.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	total := usage.Sum(rowsOf(t, books[0], "", ""), func(usage.Key) usage.Key { return usage.Key{} })
	want := []usage.Row{{Counts: usage.Counts{Requests: replicas * requests,
		InputTokens: 3 * replicas * requests, Cost: 7 * replicas * requests}}}
	if diff := cmp.Diff(want, total); diff != "" {
		t.Error(diff)
	}
	for _, book := range books {
		closeBook(t, book)
	}
}

func TestAPastDayIsJoinedToOneRecordAndOldDaysAreRemoved(t *testing.T) {
	t.Parallel()
	e := enginetest.Open(t)
	for _, day := range []string{"2026-01-01", "2026-11-25", "2026-11-25", "2026-11-28"} {
		book := open(t, usage.In(e), at(day))
		book.Add(usage.Key{Client: "a"}, &usage.Counts{Requests: 2})
		closeBook(t, book)
	}
	book := open(t, usage.In(e), at("2026-11-28"), usage.WithDays(30))
	defer closeBook(t, book)
	for range 2 {
		if err := usage.Tidy(t.Context(), book); err != nil {
			t.Fatal(err)
		}
		rows := rowsOf(t, book, "", "")
		want := []usage.Row{
			{Key: usage.Key{Day: "2026-11-25", Client: "a"}, Counts: usage.Counts{Requests: 4}},
			{Key: usage.Key{Day: "2026-11-28", Client: "a"}, Counts: usage.Counts{Requests: 2}},
		}
		if diff := cmp.Diff(want, rows); diff != "" {
			t.Error(diff)
		}
	}
	keys, err := e.Usage.Keys(t.Context(), "part.2026-11-25.*")
	if err != nil || len(keys) != 1 {
		t.Errorf("%v, %v; expected one record", keys, err)
	}
}

func TestAKilledProcessIsReportedAndAClosedOneIsNot(t *testing.T) {
	t.Parallel()
	e := enginetest.Open(t)
	closeBook(t, open(t, usage.In(e)))
	killed := open(t, usage.In(e), at("2026-11-28"))
	defer closeBook(t, killed)
	late := open(t, usage.In(e), at("2026-11-29"))
	defer closeBook(t, late)
	losses, err := late.Losses(t.Context(), time.Time{})
	if err != nil || len(losses) != 1 || losses[0].At.Day() != 28 {
		t.Errorf("%+v, %v; expected the process of the 28th", losses, err)
	}
}

func TestChangesAreWrittenOnceASecond(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		room := &usage.FailingRoom{}
		book := open(t, usage.InRoom(room))
		book.Add(usage.Key{}, &usage.Counts{Requests: 1})
		room.Fail(errors.New("away"))
		time.Sleep(1500 * time.Millisecond)
		book.Add(usage.Key{}, &usage.Counts{Requests: 1})
		if n := room.Requests(); n != 0 {
			t.Errorf("%d requests are in a room that fails", n)
		}
		room.Fail(nil)
		time.Sleep(time.Second)
		if n := room.Requests(); n != 2 {
			t.Errorf("%d requests are in the room; expected 2", n)
		}
		closeBook(t, book)
	})
}

func TestRowsBeyondTheLimitOfADayCountAsOther(t *testing.T) {
	t.Parallel()
	book := open(t)
	defer closeBook(t, book)
	const models = 5000
	for i := range models {
		book.Add(usage.Key{Client: "a", Model: fmt.Sprint(i)}, &usage.Counts{Requests: 1})
	}
	rows := rowsOf(t, book, "", "")
	var requests, others int64
	for _, row := range rows {
		requests += row.Requests
		if row.Model == usage.Other {
			others += row.Requests
		}
	}
	if len(rows) != 2001 || requests != models || others != models-2000 {
		t.Errorf("%d rows, %d requests, %d of other models", len(rows), requests, others)
	}
}

func TestEachRequestThatCallsAModelIsCounted(t *testing.T) {
	t.Parallel()
	book := open(t, at("2026-11-28"))
	defer closeBook(t, book)
	send := func(start exchange.Start, attempts int, end exchange.End) {
		recorder := book.Observer().Begin(start)
		if recorder == nil {
			return
		}
		for range attempts {
			recorder.Attempt(exchange.Attempt{})
		}
		recorder.End(end)
	}
	chat := exchange.Start{Form: "chat_completions", ClientName: "alice"}
	audio := geminiapi.ModalityAudio
	answered := exchange.End{AskedModel: "m", UpstreamModel: "m-001", Service: "gemini", Status: 200,
		Tier: "standard", Lost: 2, Usage: normalize.Usage{InputTokens: 10, CachedTokens: 4,
			OutputTokens: 5, ThinkingTokens: 6, TotalTokens: 21,
			Wire: &geminiapi.UsageMetadata{PromptTokensDetails: []geminiapi.ModalityTokenCount{
				{Modality: &audio, TokenCount: new(3)}}}},
		Cost: &ratecard.Cost{Amount: 0.00042, Currency: "USD"}}
	send(chat, 1, answered)
	send(chat, 2, answered) // after a failed attempt
	unpriced := answered
	unpriced.Cost, unpriced.Unpriced = nil, "has no price"
	send(chat, 1, unpriced)
	send(chat, 1, exchange.End{AskedModel: "m", UpstreamModel: "m", Status: 429, ErrorType: "x"})
	send(chat, 0, exchange.End{Status: 401, ErrorType: "x"})
	send(exchange.Start{Form: "models"}, 1, exchange.End{Status: 200})
	send(exchange.Start{Form: "message_tokens"}, 1, answered)
	send(exchange.Start{Form: "native", Path: "/v1beta/models/m:countTokens"}, 1, answered)

	key := usage.Key{Day: "2026-11-28", Client: "alice", Model: "m-001", Service: "gemini",
		Tier: "standard", Form: "chat_completions"}
	counts := usage.Counts{Requests: 1, InputTokens: 10, CachedTokens: 4, InputAudioTokens: 3,
		OutputTokens: 5, ThinkingTokens: 6, Losses: 2}
	without, priced := usage.Row{Key: key, Counts: counts}, usage.Row{Key: key, Counts: counts}
	without.Unpriced, without.UnpricedTokens = "has no price", 21
	priced.Currency = "USD"
	priced.Add(&counts)
	priced.Cost = 2 * 420_000
	failed := usage.Row{Key: usage.Key{Day: "2026-11-28", Client: "alice", Model: "m",
		Form: "chat_completions"}, Counts: usage.Counts{Requests: 1, Failures: 1}}
	if diff := cmp.Diff([]usage.Row{failed, without, priced},
		rowsOf(t, book, "2026-11-28", "2026-11-28")); diff != "" {
		t.Error(diff)
	}
	if rows := rowsOf(t, book, "2026-11-29", ""); len(rows) != 0 {
		t.Errorf("another day has %+v", rows)
	}
}

func TestACanceledReadEnds(t *testing.T) {
	t.Parallel()
	book := open(t, usage.In(enginetest.Open(t)))
	defer closeBook(t, book)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := book.Rows(ctx, "", ""); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
