package history_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/server/gateway/internal/history"
	"github.com/gemwire/gemwire/server/gateway/responsestore"
	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"
)

func items(t *testing.T, text string) []openaiapi.ResponseItem {
	t.Helper()
	var out []openaiapi.ResponseItem
	if err := json.Unmarshal([]byte(text), &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// kept returns a history that contains a chain of three responses and a conversation.
func kept(t *testing.T) *history.History {
	t.Helper()
	h := &history.History{Store: responsestore.NewMemory(responsestore.Bounds{}),
		Owner: responsestore.OwnerOf("key")}
	put := func(d *responsestore.Document, lists map[responsestore.List]string) {
		w := responsestore.Write{Document: d}
		for _, list := range []responsestore.List{responsestore.Input, responsestore.Output,
			responsestore.Items} {
			if lists[list] == "" {
				continue
			}
			entries, err := history.Entries(list, items(t, lists[list]))
			if err != nil {
				t.Fatal(err)
			}
			w.Entries = append(w.Entries, entries...)
		}
		if err := h.Store.Put(t.Context(), h.Owner, w); err != nil {
			t.Fatal(err)
		}
	}
	put(&responsestore.Document{ID: "resp_1"}, map[responsestore.List]string{
		responsestore.Input:  `[{"id":"msg_1","type":"message","role":"user","content":"the weather in Porto?"}]`,
		responsestore.Output: `[{"id":"rs_1","type":"reasoning","summary":[],"encrypted_content":"gemwire1_x"},{"id":"fc_1","type":"function_call","call_id":"call_1","name":"weather","arguments":"{}"}]`,
	})
	put(&responsestore.Document{ID: "resp_2", Previous: "resp_1"}, map[responsestore.List]string{
		responsestore.Input:  `[{"id":"fco_1","type":"function_call_output","call_id":"call_1","output":"sunny"}]`,
		responsestore.Output: `[{"id":"msg_2","type":"message","role":"assistant","content":[{"type":"output_text","text":"Sunny."}],"vendor":1}]`,
	})
	put(&responsestore.Document{ID: "resp_3", Previous: "resp_2", IsRunning: true}, nil)
	put(&responsestore.Document{ID: "resp_4", Previous: "resp_0"}, nil)
	put(&responsestore.Document{ID: "conv_1"},
		map[responsestore.List]string{responsestore.Items: `[{"id":"msg_3","type":"message","role":"user","content":"hello"}]`})
	return h
}

func idsOf(items []openaiapi.ResponseItem) string {
	var ids []string
	for i := range items {
		ids = append(ids, items[i].ID)
	}
	return strings.Join(ids, " ")
}

// Calls in the middle of a chain are part of the chain. The whole chain is found, not only one
// step.
func TestAChainHasAllItemsOfAllItsResponses(t *testing.T) {
	t.Parallel()
	h := kept(t)
	found, err := h.Before(t.Context(), "resp_2")
	if got := idsOf(found); err != nil || got != "msg_1 rs_1 fc_1 fco_1 msg_2" {
		t.Errorf("found %q, %v", got, err)
	}
	if text, err := json.Marshal(&found[4]); err != nil ||
		!strings.Contains(string(text), `"vendor":1`) ||
		*found[1].EncryptedContent != "gemwire1_x" {
		t.Errorf("not as it was kept: %s, %v", text, err)
	}
	found, err = h.Conversation(t.Context(), "conv_1")
	if got := idsOf(found); err != nil || got != "msg_3" {
		t.Errorf("the conversation has %q, %v", got, err)
	}
}

func TestMissingValuesAreNamed(t *testing.T) {
	t.Parallel()
	h := kept(t)
	_, before := h.Before(t.Context(), "resp_9")
	_, chain := h.Before(t.Context(), "resp_4")
	_, conversation := h.Conversation(t.Context(), "conv_9")
	_, item := h.Resolve(t.Context(),
		items(t, `[{"role":"user","content":"x"},{"type":"item_reference","id":"msg_9"}]`))
	_, list := h.List(t.Context(), history.KindResponse, "resp_9", responsestore.Input,
		history.Query{})
	_, after := h.List(t.Context(), history.KindResponse, "resp_1", responsestore.Input,
		history.Query{After: "msg_2"})
	for name, test := range map[string]struct {
		err  error
		want history.MissingError
	}{
		"a response":               {before, history.MissingError{Kind: history.KindResponse, ID: "resp_9", Index: -1}},
		"the beginning of a chain": {chain, history.MissingError{Kind: history.KindResponse, ID: "resp_0", Index: -1}},
		"a conversation":           {conversation, history.MissingError{Kind: history.KindConversation, ID: "conv_9", Index: -1}},
		"an item":                  {item, history.MissingError{Kind: history.KindItem, ID: "msg_9", Index: 1}},
		"a list":                   {list, history.MissingError{Kind: history.KindResponse, ID: "resp_9", Index: -1}},
		"an item of another list":  {after, history.MissingError{Kind: history.KindItem, ID: "msg_2", Index: -1}},
	} {
		missing, ok := errors.AsType[*history.MissingError](test.err)
		if !ok || *missing != test.want {
			t.Errorf("%s: %v", name, test.err)
		}
	}
	if _, err := h.Before(t.Context(), "resp_3"); !errors.Is(err, history.ErrUnfinished) {
		t.Errorf("a response that is still made: %v", err)
	}
	other := &history.History{Store: h.Store, Owner: responsestore.OwnerOf("another key")}
	if _, err := other.Before(t.Context(), "resp_1"); err == nil {
		t.Error("a response of somebody else was found")
	}
}

func TestReferencesAreResolved(t *testing.T) {
	t.Parallel()
	h := kept(t)
	in := items(t, `[{"id":"msg_1"},{"role":"user","content":"x"},{"type":"item_reference","id":"fc_1"},{"id":"msg_2","role":"assistant","content":"own"}]`)
	out, err := h.Resolve(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	if out[0].Role != "user" || out[2].Name != "weather" || in[0].Role != "" {
		t.Errorf("resolved %+v of %+v", out, in)
	}
	if text, _ := out[3].Content.AsString(); text != "own" {
		t.Errorf("an item of the client's own became %+v", out[3])
	}
}

func TestListsHavePages(t *testing.T) {
	t.Parallel()
	h := kept(t)
	for _, test := range []struct {
		query history.Query
		want  string
	}{
		{history.Query{Limit: 20}, "fc_1 rs_1"},
		{history.Query{Limit: 20, IsAscending: true}, "rs_1 fc_1"},
		{history.Query{Limit: 1}, "fc_1 more"},
		{history.Query{Limit: 1, After: "fc_1"}, "rs_1"},
		{history.Query{Limit: 1, After: "rs_1", IsAscending: true}, "fc_1"},
		{history.Query{Limit: 1, After: "rs_1"}, ""},
	} {
		page, err := h.List(t.Context(), history.KindResponse, "resp_1", responsestore.Output,
			test.query)
		if err != nil {
			t.Fatal(err)
		}
		var ids []string
		for _, item := range page.Data {
			var told openaiapi.ResponseItem
			if err := json.Unmarshal(item, &told); err != nil {
				t.Fatal(err)
			}
			ids = append(ids, told.ID)
		}
		if len(ids) > 0 && (*page.FirstID != ids[0] || *page.LastID != ids[len(ids)-1]) {
			t.Errorf("%+v: the page says from %s to %s", test.query, *page.FirstID, *page.LastID)
		}
		if page.HasMore {
			ids = append(ids, "more")
		}
		if diff := cmp.Diff(test.want, strings.Join(ids, " ")); diff != "" {
			t.Errorf("%+v: %s", test.query, diff)
		}
	}
	if item, err := h.Item(t.Context(), "resp_1", responsestore.Output, "fc_1"); err != nil ||
		!strings.Contains(string(item), `"weather"`) {
		t.Errorf("an item: %s, %v", item, err)
	}
}

func TestItemsAreCompleted(t *testing.T) {
	t.Parallel()
	in := items(t, `[{"role":"user","content":"hello"},{"role":"assistant","content":"hi","id":"msg_a"},{"type":"function_call_output","call_id":"c","output":"x"},{"id":"`+
		strings.Repeat("x", 600)+`","type":"compaction"}]`)
	out := history.Identify(in)
	for i, want := range []string{"msg_", "msg_a", "fco_", "item_"} {
		if !strings.HasPrefix(out[i].ID, want) || len(out[i].ID) > 60 {
			t.Errorf("item %d has the id %q", i, out[i].ID)
		}
	}
	parts, _ := out[0].Content.AsValue()
	if out[0].Type != "message" || out[0].Status != "completed" || len(parts) != 1 ||
		parts[0].Type != "input_text" || *parts[0].Text != "hello" {
		t.Errorf("a message is %+v", out[0])
	}
	if parts, _ := out[1].Content.AsValue(); parts[0].Type != "output_text" {
		t.Errorf("a message of the model is %+v", out[1])
	}
	if in[0].ID != "" || in[0].Type != "" {
		t.Error("the items of the request were changed")
	}
	again := history.Identify(in)
	if again[0].ID == out[0].ID {
		t.Error("two items have one id")
	}
}

func TestItemsMayHaveAsManyBytesAsTheLimit(t *testing.T) {
	t.Parallel()
	h := kept(t)
	entries, _, err := h.Store.Entries(t.Context(), h.Owner, "conv_1", responsestore.Items,
		responsestore.Page{})
	if err != nil || len(entries) != 1 {
		t.Fatalf("%d entries, %v", len(entries), err)
	}
	size := int64(len(entries[0].JSON))
	for limit, want := range map[int64]error{
		0: nil, size + 1: nil, size: nil, size - 1: history.ErrTooLong, 1: history.ErrTooLong,
	} {
		limited := &history.History{Store: h.Store, Owner: h.Owner, Limit: limit}
		if _, err := limited.Conversation(t.Context(), "conv_1"); !errors.Is(err, want) {
			t.Errorf("%d bytes of at most %d: got %v, want %v", size, limit, err, want)
		}
	}
}

func TestAnIDThatIsTooLongToKeepIsReplaced(t *testing.T) {
	t.Parallel()
	for size, isKept := range map[int]bool{
		1: true, responsestore.MaxIDSize: true, responsestore.MaxIDSize + 1: false,
	} {
		id := strings.Repeat("x", size)
		out := history.Identify(items(t, `[{"id":"`+id+`","type":"compaction"}]`))
		if got := out[0].ID == id; got != isKept || out[0].ID == "" {
			t.Errorf("an id of %d bytes is kept: %v, want %v", size, got, isKept)
		}
	}
}

func TestAnIDOfAnotherKindIsMissingAtNoPlaceOfTheInput(t *testing.T) {
	t.Parallel()
	h := kept(t)
	_, before := h.Before(t.Context(), "conv_1")
	_, conversation := h.Conversation(t.Context(), "resp_1")
	_, list := h.List(t.Context(), history.KindResponse, "conv_1", responsestore.Input,
		history.Query{})
	for want, err := range map[history.MissingError]error{
		{Kind: history.KindResponse, ID: "conv_1", Index: -1}:     before,
		{Kind: history.KindConversation, ID: "resp_1", Index: -1}: conversation,
	} {
		if got, ok := errors.AsType[*history.MissingError](err); !ok || *got != want {
			t.Errorf("got %+v, want %+v", err, want)
		}
	}
	if got, ok := errors.AsType[*history.MissingError](list); !ok || got.Index != -1 {
		t.Errorf("a list of an id of another kind: got %+v, want a MissingError at no place", list)
	}
}
