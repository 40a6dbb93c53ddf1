package tally_test

import (
	"maps"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"github.com/gemwire/gemwire/server/bulk/internal/tally"
	"github.com/gemwire/gemwire/server/bulk/line"
)

// FuzzABoardCountsEachRangeOnce finishes ranges in any order, some more than once, and compares the
// board with a plain set, and with its decoded form.
func FuzzABoardCountsEachRangeOnce(f *testing.F) {
	f.Add([]byte{0, 9, 9, 0, 70})
	f.Add([]byte{255, 7, 8})
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, numbers []byte) {
		var board tally.Board
		done := map[int]bool{}
		for i, n := range numbers {
			number := int(n) * 3
			sum := tally.Sum{Completed: int64(i), Failures: map[string]int64{"429": 1}}
			if first := board.Finish(number, &sum); first == done[number] {
				t.Fatalf("range %d counts: %v", number, first)
			}
			done[number] = true
		}
		kept, err := json.Marshal(&board)
		if err != nil {
			t.Fatal(err)
		}
		var back tally.Board
		if err := json.Unmarshal(kept, &back); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(board, back); diff != "" {
			t.Fatal(diff)
		}
		if back.Ranges() != len(done) || back.Failures["429"] != int64(len(done)) {
			t.Fatalf("%d ranges and %d failures; expected %d", back.Ranges(), back.Failures["429"],
				len(done))
		}
		for number := -9; number < 800; number++ {
			if back.Has(number) != done[number] {
				t.Fatalf("range %d is done: %v", number, back.Has(number))
			}
		}
	})
}

// FuzzABoardOfTheStore decodes arbitrary data as a board.
func FuzzABoardOfTheStore(f *testing.F) {
	f.Add([]byte(`{"done":"Bw==","completed":3,"failures":{"429":1}}`), 2)
	f.Add([]byte(`{"done":"","failed":-1,"failures":null}`), -1)
	f.Add([]byte(`{"done":"/////w==","usage":{"cost":1e308}}`), 1<<30)
	f.Fuzz(func(t *testing.T, kept []byte, number int) {
		var board tally.Board
		if json.Unmarshal(kept, &board) != nil {
			return
		}
		before, had := board.Ranges(), board.Has(number)
		if number > 1<<16 { // which takes a bit for each range
			return
		}
		counts := board.Finish(number, &tally.Sum{Completed: 1})
		switch {
		case counts != (board.Ranges() == before+1), number < 0 && counts,
			number >= 0 && counts == had:
			t.Fatalf("range %d of %s counts: %v", number, kept, counts)
		case counts && !board.Has(number):
			t.Fatalf("range %d of %s counts, and is not done", number, kept)
		}
	})
}

// FuzzEachFailureIsCountedAndKept counts answers of any kind, and compares the counts with their
// decoded form.
func FuzzEachFailureIsCountedAndKept(f *testing.F) {
	f.Add(429, []byte(`{"error":{"type":"requests","code":"rate_limit_exceeded"}}`), "", uint8(3))
	f.Add(400, []byte(`{"error":{"code":"\ud800"}}`), "", uint8(0))
	f.Add(200, []byte(`"text"`), "", uint8(1))
	f.Add(502, []byte("<html>\xff"), "", uint8(0))
	f.Add(0, []byte(nil), "batch_expired\xff", uint8(0))
	f.Fuzz(func(t *testing.T, status int, body []byte, code string, before uint8) {
		r := line.Result{Usage: line.Usage{InputTokens: 2, Cost: 0.5}}
		if code != "" {
			r.Error = &line.Error{Code: code}
		} else if body != nil {
			r.Response = &line.Response{Status: status, Body: jsontext.Value(body)}
		}
		var sum, twice tally.Sum
		sum.Add(&r, int(before))
		twice.Merge(&sum)
		twice.Merge(&sum)
		all := int64(0)
		for n := range maps.Values(twice.Failures) {
			all += n
		}
		if twice.Done() != 2 || all != twice.Failed || (sum.Failed == 1) != r.Failed() {
			t.Fatalf("%+v", twice)
		}
		kept, err := json.Marshal(&sum)
		if err != nil {
			t.Fatalf("%+v is not kept: %v", sum, err)
		}
		var back tally.Sum
		if err := json.Unmarshal(kept, &back); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(sum, back); diff != "" {
			t.Fatal(diff)
		}
	})
}
