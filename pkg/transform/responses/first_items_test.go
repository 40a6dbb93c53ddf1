package responses_test

import (
	"testing"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	toresponses "github.com/gemwire/gemwire/pkg/transform/responses"
	"github.com/google/go-cmp/cmp"
)

// firstItem is an option with one compaction item, and a count of the calls of its function.
func firstItem() (option toresponses.Option, calls *int) {
	calls = new(int)
	return toresponses.WithFirstItems(func() []openaiapi.ResponseItem {
		*calls++
		return []openaiapi.ResponseItem{{Type: openaiapi.ResponseItemTypeCompaction,
			EncryptedContent: new("sealed")}}
	}), calls
}

func TestItemsOfAServerComeBeforeTheAnswerAndGetAnID(t *testing.T) {
	t.Parallel()
	option, calls := firstItem()
	out := converted(t, `{"text":"Hi"},{"functionCall":{"name":"f","args":{}}}`, option)
	if got := types(out); got != "compaction message function_call" || *calls != 1 {
		t.Errorf("got %s after %d calls", got, *calls)
	}
	var ids []string
	for i := range out.Output {
		ids = append(ids, out.Output[i].ID)
	}
	if diff := cmp.Diff([]string{"cmp_r1_0", "msg_r1_1", "fc_r1_2"}, ids); diff != "" {
		t.Error(diff)
	}
	if *out.Output[0].EncryptedContent != "sealed" || out.Output[0].Status != "" {
		t.Errorf("the item has changed: %+v", out.Output[0])
	}
}

func TestItemsOfAServerAreStreamedWithTheFirstChunk(t *testing.T) {
	t.Parallel()
	option, _ := firstItem()
	// it also compares the events with the whole response
	all := streamed(t, []string{part(`{"text":"H"}`), part(`{"text":"i"}`), stop}, option)
	if got := told(all); got != "created in_progress output_item.added output_item.done "+
		"output_item.added content_part.added output_text.delta output_text.done "+
		"content_part.done output_item.done completed" {
		t.Errorf("got %s", got)
	}
	for i, want := range map[int]string{2: "cmp_r1_0", 3: "cmp_r1_0", 4: "msg_r1_1"} {
		if e := all[i]; e.Item.ID != want || *e.OutputIndex != int(want[len(want)-1]-'0') {
			t.Errorf("event %d has the item %s at %d", i, e.Item.ID, *e.OutputIndex)
		}
	}
}

func TestAStreamAsksForItemsOfAServerOnce(t *testing.T) {
	t.Parallel()
	for name, chunks := range map[string][]string{
		"an answer":         {part(`{"text":"H"}`), part(`{"text":"i"}`), stop},
		"without an answer": {stop},
	} {
		option, calls := firstItem()
		all, err := events(t, chunksOf(t, chunks...), nil, option)
		if err != nil || *calls != 1 || last(all).Response.Output[0].Type != "compaction" {
			t.Errorf("%s: %d calls, %v, ended with %+v", name, *calls, err, last(all).Response)
		}
	}
}

// The items are not the model's, so an answer without any other item ends as it does without them.
func TestItemsOfAServerDoNotCountAsAnAnswer(t *testing.T) {
	t.Parallel()
	for _, reason := range []string{"STOP", "MAX_TOKENS", "SAFETY", "OTHER",
		"MALFORMED_FUNCTION_CALL", "A_NEW_REASON"} {
		body := `{"responseId":"r1","candidates":[{"finishReason":"` + reason + `"}]}`
		without, _ := convert(t, body)
		option, _ := firstItem()
		with, _ := convert(t, body, option)
		if with.Status != without.Status || len(with.Output) != len(without.Output)+1 {
			t.Errorf("%s: %s with %d items, %s with %d without them", reason, with.Status,
				len(with.Output), without.Status, len(without.Output))
		}
		if diff := cmp.Diff(without.Error, with.Error); diff != "" {
			t.Errorf("%s: %s", reason, diff)
		}
	}
}

// The client keeps the items, so their work is not lost.
func TestAStreamThatFailsBeforeItsFirstChunkHasTheItemsOfAServer(t *testing.T) {
	t.Parallel()
	option, calls := firstItem()
	all, err := events(t, nil, gemini.DecodeError(503, nil, nil), option)
	if got := told(all); err == nil || *calls != 1 || got != "created in_progress "+
		"output_item.added output_item.done error failed" ||
		types(last(all).Response) != "compaction" {
		t.Errorf("%d calls, %v, got %s", *calls, err, got)
	}
}
