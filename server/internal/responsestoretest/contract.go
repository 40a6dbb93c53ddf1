package responsestoretest

import (
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gemwire/gemwire/server/gateway/responsestore"
	"github.com/google/go-cmp/cmp"
)

// Open makes the empty store to test, with a clock.
type Open func(t testing.TB, bounds responsestore.Bounds,
	now func() time.Time) responsestore.Store

// clock is a clock that a test sets.
type clock struct{ now atomic.Int64 }

func newClock() *clock {
	c := &clock{}
	c.now.Store(time.Now().UnixNano())
	return c
}

func (c *clock) read() time.Time { return time.Unix(0, c.now.Load()) }

func (c *clock) advance(d time.Duration) { c.now.Add(int64(d)) }

var (
	alice = responsestore.OwnerOf("key-of-alice")
	bob   = responsestore.OwnerOf("key-of-bob")
)

// contract is the required behaviour of a store.
var contract = map[string]struct {
	bounds responsestore.Bounds
	run    func(t *testing.T, s responsestore.Store)
}{
	"an owner never removes data of another one": {responsestore.Bounds{Count: 3}, fairness},
	"a full store refuses writes of owners that have nothing to remove": {
		responsestore.Bounds{Bytes: 10_000, TotalBytes: 15_000}, totalBound},
	"entries that are larger than a message":          {run: largeEntries},
	"a list of many small entries":                    {run: manyEntries},
	"only its owner finds a document":                 {run: ownership},
	"a document replaces an earlier one with its id":  {run: replacement},
	"if one of several writes fails, none is written": {run: atomicity},
	"pages of a list":                                 {run: pages},
	"an entry is found by its id":                     {run: entryIDs},
	"a deleted document is not found":                 {run: deletion},
	"ids that every store refuses":                    {run: badIDs},
	"the oldest document makes room when there are too many": {responsestore.Bounds{Count: 3},
		countBound},
	"the oldest documents make room when there are too many bytes": {responsestore.Bounds{Bytes: 20_000},
		byteBound},
	"a continuation renews its chain": {responsestore.Bounds{Count: 4},
		renewal},
	"documents that continue each other do not cause an endless loop": {run: loop},
}

// Run tests a store.
func Run(t *testing.T, open Open) {
	run := func(name string, bounds responsestore.Bounds,
		test func(*testing.T, responsestore.Store, *clock)) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			clock := newClock()
			s := open(t, bounds, clock.read)
			defer func() {
				if err := s.Close(); err != nil {
					t.Error(err)
				}
			}()
			test(t, s, clock)
		})
	}
	for name, test := range contract {
		run(name, test.bounds, func(t *testing.T, s responsestore.Store, _ *clock) {
			test.run(t, s)
		})
	}
	run("a document is not found after its age", responsestore.Bounds{Age: time.Hour}, age)
}

// document returns a write of a document with entries, each in the form "list:id".
func document(id, previous string, entries ...string) responsestore.Write {
	w := responsestore.Write{
		Document: &responsestore.Document{ID: id, Previous: previous,
			JSON: []byte(`{"id":"` + id + `"}`)},
		Entries: entriesOf(entries),
	}
	return w
}

// more returns a write of entries.
func more(id string, entries ...string) responsestore.Write {
	return responsestore.Write{ID: id, Entries: entriesOf(entries)}
}

func entriesOf(reported []string) (out []responsestore.Entry) {
	for _, entry := range reported {
		list, id, _ := strings.Cut(entry, ":")
		out = append(out,
			responsestore.Entry{List: responsestore.List(list), ID: id,
				JSON: []byte(`{"entry":"` + id + `"}`)})
	}
	return out
}

func put(t *testing.T, s responsestore.Store, owner responsestore.Owner,
	writes ...responsestore.Write) {
	t.Helper()
	if err := s.Put(t.Context(), owner, writes...); err != nil {
		t.Fatal(err)
	}
}

// wantThere checks that documents are found, and wantGone that they are not.
func wantThere(t *testing.T, s responsestore.Store, owner responsestore.Owner, ids ...string) {
	t.Helper()
	for _, id := range ids {
		d, err := s.Get(t.Context(), owner, id)
		if err != nil || d.ID != id || string(d.JSON) != `{"id":"`+id+`"}` {
			t.Errorf("%s: %+v, %v", id, d, err)
		}
	}
}

func wantGone(t *testing.T, s responsestore.Store, owner responsestore.Owner, ids ...string) {
	t.Helper()
	for _, id := range ids {
		if _, err := s.Get(t.Context(), owner, id); !errors.Is(err, responsestore.ErrNotFound) {
			t.Errorf("%s: %v, expected that it is not found", id, err)
		}
		if _, _, err := s.Entries(t.Context(), owner, id, responsestore.Input,
			responsestore.Page{}); !errors.Is(err, responsestore.ErrNotFound) {
			t.Errorf("the entries of %s: %v, expected that they are not found", id, err)
		}
	}
}

// list returns a page as "position=id ...", with "..." at the end if there are more.
func list(t *testing.T, s responsestore.Store, id string, name responsestore.List,
	page responsestore.Page) string {
	t.Helper()
	entries, hasMore, err := s.Entries(t.Context(), alice, id, name, page)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range entries {
		if e.List != name || string(e.JSON) != `{"entry":"`+e.ID+`"}` {
			t.Errorf("an entry is %+v", e)
		}
		out = append(out, fmt.Sprintf("%d=%s", e.Position, e.ID))
	}
	if hasMore {
		out = append(out, "...")
	}
	return strings.Join(out, " ")
}

func want[T any](t *testing.T, what string, got, want T) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

func ownership(t *testing.T, s responsestore.Store) {
	put(t, s, alice, document("resp_1", "", "input:msg_1"))
	put(t, s, bob, document("resp_2", "resp_1"))
	wantThere(t, s, alice, "resp_1")
	wantGone(t, s, alice, "resp_2")
	wantThere(t, s, bob, "resp_2")
	wantGone(t, s, bob, "resp_1")
	if _, _, err := s.Find(t.Context(), bob, "msg_1"); !errors.Is(err, responsestore.ErrNotFound) {
		t.Errorf("an entry of somebody else: %v", err)
	}
	for _, err := range []error{
		s.Delete(t.Context(), bob, "resp_1"), s.DeleteEntry(t.Context(), bob, "resp_1", "msg_1"),
		s.DeleteEntry(t.Context(), bob, "resp_2", "msg_1"),
		s.Put(t.Context(), bob, more("resp_1", "input:msg_2")),
	} {
		if !errors.Is(err, responsestore.ErrNotFound) {
			t.Errorf("what is somebody else's: %v", err)
		}
	}
	put(t, s, bob, document("resp_1", "", "input:msg_1")) // an id of its own
	if err := s.Delete(t.Context(), bob, "resp_1"); err != nil {
		t.Error(err)
	}
	wantThere(t, s, alice, "resp_1")
	want(t, "the entries of alice", list(t, s, "resp_1", responsestore.Input, responsestore.Page{}),
		"1=msg_1")
}

func replacement(t *testing.T, s responsestore.Store) {
	first := document("resp_1", "", "input:a")
	first.Document.IsRunning, first.Document.JSON = true, []byte(`{"status":"queued"}`)
	put(t, s, alice, first)
	d, err := s.Get(t.Context(), alice, "resp_1")
	want(t, "the first one", d, first.Document)
	want(t, "the error", err, nil)
	put(t, s, alice, document("resp_1", "", "output:b", "input:c"))
	wantThere(t, s, alice, "resp_1")
	want(t, "the input", list(t, s, "resp_1", responsestore.Input, responsestore.Page{}), "1=a 2=c")
	want(t, "the output", list(t, s, "resp_1", responsestore.Output, responsestore.Page{}), "1=b")
	want(t, "the events", list(t, s, "resp_1", responsestore.Events, responsestore.Page{}), "")
}

func atomicity(t *testing.T, s responsestore.Store) {
	put(t, s, alice, document("conv_1", "", "items:a"))
	if err := s.Put(t.Context(), alice, document("resp_1", "", "output:b"),
		more("conv_1", "items:c"), more("conv_2", "items:d")); !errors.Is(err,
		responsestore.ErrNotFound) {
		t.Errorf("entries of no document: %v", err)
	}
	wantGone(t, s, alice, "resp_1")
	want(t, "the items", list(t, s, "conv_1", responsestore.Items, responsestore.Page{}), "1=a")
	if err := s.Put(t.Context(), alice, document("resp_1", ""),
		more("resp_1", "output:b")); err == nil {
		t.Error("two writes of one document were taken")
	}
	wantGone(t, s, alice, "resp_1")
	put(t, s, alice, document("resp_1", "", "output:b"), more("conv_1", "items:c", "items:b"))
	want(t, "the items", list(t, s, "conv_1", responsestore.Items, responsestore.Page{}),
		"1=a 2=c 3=b")
}

func pages(t *testing.T, s responsestore.Store) {
	put(t, s, alice, document("a", "", "items:x"),
		document("b", "", "items:1", "items:2", "items:3", "items:4", "items:5", "output:o"),
		document("bb", "", "items:y"))
	put(t, s, alice, document("c", "", "input:z"))
	if err := s.DeleteEntry(t.Context(), alice, "b", "3"); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		page responsestore.Page
		want string
	}{
		{responsestore.Page{}, "1=1 2=2 4=4 5=5"},
		{responsestore.Page{Limit: 2}, "1=1 2=2 ..."},
		{responsestore.Page{Limit: 4}, "1=1 2=2 4=4 5=5"},
		{responsestore.Page{After: 2, Limit: 1}, "4=4 ..."},
		{responsestore.Page{After: 3}, "4=4 5=5"},
		{responsestore.Page{After: 5}, ""},
		{responsestore.Page{After: 99}, ""},
		{responsestore.Page{IsDescending: true}, "5=5 4=4 2=2 1=1"},
		{responsestore.Page{IsDescending: true, Limit: 3}, "5=5 4=4 2=2 ..."},
		{responsestore.Page{IsDescending: true, After: 4}, "2=2 1=1"},
		{responsestore.Page{IsDescending: true, After: 3, Limit: 1}, "2=2 ..."},
		{responsestore.Page{IsDescending: true, After: 1}, ""},
		{responsestore.Page{IsDescending: true, After: 99}, "5=5 4=4 2=2 1=1"},
	} {
		want(t, fmt.Sprintf("%+v", test.page), list(t, s, "b", responsestore.Items, test.page),
			test.want)
	}
	want(t, "another list",
		list(t, s, "b", responsestore.Output, responsestore.Page{IsDescending: true}), "1=o")
	want(t, "the last list of all",
		list(t, s, "c", responsestore.Input, responsestore.Page{IsDescending: true}), "1=z")
	put(t, s, alice, more("b", "items:6"))
	want(t, "entries after a gap",
		list(t, s, "b", responsestore.Items, responsestore.Page{After: 4}), "5=5 6=6")
}

func entryIDs(t *testing.T, s responsestore.Store) {
	find := func(id string) string {
		document, e, err := s.Find(t.Context(), alice, id)
		if errors.Is(err, responsestore.ErrNotFound) {
			return "not found"
		} else if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprintf("%s %s %d %s", document, e.List, e.Position, e.JSON)
	}
	put(t, s, alice, document("resp_1", "", "input:a", "output:b", "output:", "output:c"),
		document("resp_2", "", "input:b"))
	want(t, "an item", find("a"), `resp_1 input 1 {"entry":"a"}`)
	want(t, "the last item of an id", find("b"), `resp_2 input 1 {"entry":"b"}`)
	want(t, "an entry after an entry that has no id", find("c"), `resp_1 output 3 {"entry":"c"}`)
	want(t, "no id", find(""), "not found")
	if err := s.Delete(t.Context(), alice, "resp_1"); err != nil {
		t.Fatal(err)
	}
	want(t, "an item of a document that is gone", find("a"), "not found")
	want(t, "one of an id that another document has too", find("b"), `resp_2 input 1 {"entry":"b"}`)
	put(t, s, alice, document("resp_3", "", "output:d"),
		document("resp_4", "", "input:d", "input:e", "input:d"))
	put(t, s, alice, document("resp_5", "", "input:d"))
	put(t, s, alice, more("resp_3", "input:d"), document("resp_6", "", "input:d"))
	for _, gone := range []struct{ document, entry, now string }{
		{"resp_4", "d", `resp_6 input 1`}, {"resp_6", "", `resp_3 input 1`},
		{"resp_3", "d", `resp_3 input 1`}, {"resp_3", "d", `resp_5 input 1`},
		{"resp_5", "", `resp_4 input 1`},
		{"resp_4", "d", "not found"},
	} {
		var err error
		if gone.entry != "" {
			err = s.DeleteEntry(t.Context(), alice, gone.document, gone.entry)
		} else {
			err = s.Delete(t.Context(), alice, gone.document)
		}
		if err != nil {
			t.Fatal(err)
		}
		if got := find("d"); !strings.HasPrefix(got, gone.now) {
			t.Errorf("an id without what %s had of it: %s, want %s", gone.document, got, gone.now)
		}
	}
}

func deletion(t *testing.T, s responsestore.Store) {
	put(t, s, alice, document("resp_1", "", "input:a"), document("resp_2", "resp_1", "input:b"))
	for id, want := range map[string]error{"resp_1": nil, "resp_3": responsestore.ErrNotFound,
		"": responsestore.ErrNotFound} {
		if err := s.Delete(t.Context(), alice, id); !errors.Is(err, want) {
			t.Errorf("deleting %q: %v", id, err)
		}
	}
	wantGone(t, s, alice, "resp_1")
	wantThere(t, s, alice, "resp_2")
	for _, ids := range [][2]string{{"resp_1", "a"}, {"resp_2", "a"}, {"resp_2", ""},
		{"resp_3", "b"}} {
		if err := s.DeleteEntry(t.Context(), alice, ids[0], ids[1]); !errors.Is(err,
			responsestore.ErrNotFound) {
			t.Errorf("deleting %q of %s: %v", ids[1], ids[0], err)
		}
	}
	if err := s.DeleteEntry(t.Context(), alice, "resp_2", "b"); err != nil {
		t.Error(err)
	}
	want(t, "what is left", list(t, s, "resp_2", responsestore.Input, responsestore.Page{}), "")
	put(t, s, alice, document("resp_3", "", "input:d", "input:e", "input:d"),
		document("resp_4", "", "input:d"))
	if err := s.DeleteEntry(t.Context(), alice, "resp_3", "d"); err != nil {
		t.Errorf("an entry of an id that another document has, too: %v", err)
	}
	want(t, "what is left of the one",
		list(t, s, "resp_3", responsestore.Input, responsestore.Page{}), "1=d 2=e")
	want(t, "the other one", list(t, s, "resp_4", responsestore.Input, responsestore.Page{}), "1=d")
	if _, _, err := s.Find(t.Context(), alice, "d"); err != nil {
		t.Errorf("the other one by its id: %v", err)
	}
	put(t, s, alice, document("resp_1", "", "input:c"))
	want(t, "one that came again", list(t, s, "resp_1", responsestore.Input, responsestore.Page{}),
		"1=c")
}

func badIDs(t *testing.T, s responsestore.Store) {
	long := strings.Repeat("x", responsestore.MaxIDSize+1)
	for name, w := range map[string]responsestore.Write{
		"no id": document("", ""), "a long id": document(long, ""),
		"a long id before it":   document("a", long),
		"a long id of an entry": document("a", "", "input:"+long),
		"no id of entries":      more("", "input:a"),
	} {
		if err := s.Put(t.Context(), alice, w); !errors.Is(err, responsestore.ErrID) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := s.Put(t.Context(), alice, document("a", "", "outcome:b")); err == nil {
		t.Error("a missing list was accepted")
	}
	wantGone(t, s, alice, long, "", "a")
	if _, _, err := s.Find(t.Context(), alice, long); !errors.Is(err, responsestore.ErrNotFound) {
		t.Errorf("an entry with a long id: %v", err)
	}
	longest := strings.Repeat("y", responsestore.MaxIDSize)
	strange := "resp\x00\xff\n1"
	put(t, s, alice, document(longest, strange, "input:"+longest), document(strange, ""))
	wantThere(t, s, alice, longest, strange)
}

func countBound(t *testing.T, s responsestore.Store) {
	for _, id := range []string{"a", "b", "c"} {
		put(t, s, alice, document(id, ""))
	}
	put(t, s, alice, more("a", "input:1")) // which is written last then
	put(t, s, alice, document("d", ""))
	wantGone(t, s, alice, "b")
	wantThere(t, s, alice, "a", "c", "d")
	if err := s.Put(t.Context(), alice, document("e", ""), document("f", ""), document("g", ""),
		document("h", "")); !errors.Is(err, responsestore.ErrTooLarge) {
		t.Errorf("more documents than there may be: %v", err)
	}
	wantThere(t, s, alice, "a", "c", "d")
}

func fairness(t *testing.T, s responsestore.Store) {
	put(t, s, alice, document("a", ""), document("b", ""))
	for i := range 10 {
		put(t, s, bob, document(fmt.Sprint(i), ""))
	}
	wantThere(t, s, alice, "a", "b")
	wantThere(t, s, bob, "7", "8", "9")
	wantGone(t, s, bob, "6")
}

func totalBound(t *testing.T, s responsestore.Store) {
	large := func(id string) responsestore.Write {
		return responsestore.Write{Document: &responsestore.Document{ID: id,
			JSON: []byte(`{"id":"` + id + `"}` + strings.Repeat(" ", 6_000))}}
	}
	put(t, s, alice, large("a"))
	put(t, s, bob, large("b"))
	carol := responsestore.OwnerOf("key-of-carol")
	if err := s.Put(t.Context(), carol, large("c")); !errors.Is(err, responsestore.ErrFull) {
		t.Errorf("a document without room: %v", err)
	}
	put(t, s, bob, large("d")) // which removes one of its own
	for owner, id := range map[responsestore.Owner]string{alice: "a", bob: "d"} {
		if _, err := s.Get(t.Context(), owner, id); err != nil {
			t.Errorf("%s: %v", id, err)
		}
	}
	wantGone(t, s, bob, "b")
	wantGone(t, s, carol, "c")
}

func largeEntries(t *testing.T, s responsestore.Store) {
	text := func(letter string) []byte { return []byte(`"` + strings.Repeat(letter, 3<<20) + `"`) }
	w := document("a", "", "items:x", "items:large", "items:y")
	w.Document.JSON, w.Entries[1].JSON = text("d"), text("e")
	put(t, s, alice, w)
	put(t, s, alice, more("a", "items:z"))
	d, err := s.Get(t.Context(), alice, "a")
	if err != nil || string(d.JSON) != string(text("d")) {
		t.Errorf("the document: %v", err)
	}
	if _, e, err := s.Find(t.Context(), alice, "large"); err != nil ||
		string(e.JSON) != string(text("e")) || e.Position != 2 {
		t.Errorf("the entry: %v", err)
	}
	entries, _, err := s.Entries(t.Context(), alice, "a", responsestore.Items,
		responsestore.Page{After: 1})
	if err != nil || len(entries) != 3 || entries[2].ID != "z" ||
		string(entries[0].JSON) != string(text("e")) {
		t.Errorf("%d entries, %v", len(entries), err)
	}
	if err := s.DeleteEntry(t.Context(), alice, "a", "large"); err != nil {
		t.Error(err)
	}
	want(t, "what is left", list(t, s, "a", responsestore.Items, responsestore.Page{}),
		"1=x 3=y 4=z")
}

func manyEntries(t *testing.T, s responsestore.Store) {
	const entries = 10_000
	w := document("a", "")
	for i := range entries {
		w.Entries = append(w.Entries, entriesOf([]string{fmt.Sprint("items:", i)})...)
	}
	put(t, s, alice, w)
	for i := range 3 {
		put(t, s, alice, more("a", fmt.Sprint("items:", entries+i)))
	}
	got, hasMore, err := s.Entries(t.Context(), alice, "a", responsestore.Items,
		responsestore.Page{After: 4_321, Limit: 5_000})
	if err != nil || len(got) != 5_000 || !hasMore || got[0].ID != "4321" ||
		got[4_999].ID != "9320" {
		t.Errorf("%d entries, %v, %v", len(got), hasMore, err)
	}
	got, hasMore, err = s.Entries(t.Context(), alice, "a", responsestore.Items,
		responsestore.Page{})
	if err != nil || len(got) != entries+3 || hasMore {
		t.Errorf("%d entries, %v, %v", len(got), hasMore, err)
	}
	for _, id := range []string{"0", "5000", "9999", "10002"} {
		if _, e, err := s.Find(t.Context(), alice, id); err != nil || e.ID != id {
			t.Errorf("%s: %+v, %v", id, e, err)
		}
	}
}

func byteBound(t *testing.T, s responsestore.Store) {
	large := func(id string, size int) responsestore.Write {
		w := document(id, "", "input:"+id+"1")
		w.Entries[0].JSON = []byte(`"` + strings.Repeat("x", size) + `"`)
		return w
	}
	put(t, s, alice, large("a", 8_000))
	put(t, s, alice, large("b", 8_000))
	wantThere(t, s, alice, "a", "b")
	put(t, s, alice, large("c", 8_000))
	wantGone(t, s, alice, "a")
	wantThere(t, s, alice, "b", "c")
	if err := s.Put(t.Context(), alice, large("d", 21_000)); !errors.Is(err,
		responsestore.ErrTooLarge) {
		t.Errorf("a document above the limit: %v", err)
	}
	if err := s.Put(t.Context(), alice, large("c", 15_000)); !errors.Is(err,
		responsestore.ErrTooLarge) {
		t.Errorf("a document that grows above the limit: %v", err)
	}
	wantThere(t, s, alice, "b", "c")
	if err := s.DeleteEntry(t.Context(), alice, "c", "c1"); err != nil {
		t.Fatal(err)
	}
	put(t, s, alice, large("e", 8_000)) // for which there is room again
	wantThere(t, s, alice, "b", "c", "e")
	if err := s.Delete(t.Context(), alice, "b"); err != nil {
		t.Fatal(err)
	}
	for range 9 { // in its own place it takes no more
		put(t, s, alice, document("c", ""))
	}
	put(t, s, alice, large("f", 8_000))
	wantThere(t, s, alice, "c", "e", "f")
}

func renewal(t *testing.T, s responsestore.Store) {
	put(t, s, alice, document("1", ""))
	put(t, s, alice, document("2", "1"))
	put(t, s, alice, document("alone", ""))
	put(t, s, alice, document("3", "2"))
	put(t, s, alice, document("4", "3"))
	wantGone(t, s, alice, "alone")
	wantThere(t, s, alice, "1", "2", "3", "4")
	put(t, s, alice, document("other", ""))
	wantGone(t, s, alice, "1") // the beginning of a chain goes first
	wantThere(t, s, alice, "2", "3", "4", "other")
}

func loop(t *testing.T, s responsestore.Store) {
	put(t, s, alice, document("a", "b"), document("b", "a"), document("c", "c"))
	put(t, s, alice, more("a", "input:1"), more("c", "input:2"))
	wantThere(t, s, alice, "a", "b", "c")
}

func age(t *testing.T, s responsestore.Store, clock *clock) {
	put(t, s, alice, document("old", "", "input:item_of_old"), document("beginning", ""))
	clock.advance(40 * time.Minute)
	put(t, s, alice, document("young", "beginning"))
	clock.advance(20*time.Minute - 1)
	wantThere(t, s, alice, "old")
	clock.advance(time.Nanosecond)
	wantGone(t, s, alice, "old")
	if _, _, err := s.Find(t.Context(), alice, "item_of_old"); !errors.Is(err,
		responsestore.ErrNotFound) {
		t.Errorf("an entry beyond its age: %v", err)
	}
	for _, err := range []error{
		s.Delete(t.Context(), alice, "old"),
		s.DeleteEntry(t.Context(), alice, "old", "item_of_old"),
		s.Put(t.Context(), alice, more("old", "input:late")),
	} {
		if !errors.Is(err, responsestore.ErrNotFound) {
			t.Errorf("a document beyond its age: %v", err)
		}
	}
	wantThere(t, s, alice, "beginning", "young")
	clock.advance(40 * time.Minute)
	wantGone(t, s, alice, "beginning", "young")
	put(t, s, alice, document("old", "", "input:new"))
	want(t, "one that came again", list(t, s, "old", responsestore.Input, responsestore.Page{}),
		"1=new")
}
