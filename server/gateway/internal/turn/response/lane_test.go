package response

import (
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/pkg/openai/responses"
)

// made returns a response with the status.
func made(id string, status openaiapi.ResponseStatus) *openaiapi.Response {
	return &openaiapi.Response{ID: id, Status: status,
		Output: []openaiapi.ResponseItem{responses.UserText("answer of " + id)}}
}

// makeTurn makes a response of a lane.
func makeTurn(c *Connection, lane, previous, id, text string) {
	l := c.Begin(lane, previous)
	l.keep([]openaiapi.ResponseItem{responses.UserText(text)},
		made(id, openaiapi.ResponseStatusCompleted), false)
	l.End()
}

func has(c *Connection, id string) bool { return c.Begin("", "").text(id) != nil }

func TestTheRoomForgetsWhatWasUsedLongestAgo(t *testing.T) {
	t.Parallel()
	room := &Room{}
	room.Limit(1500, 1000)
	first, second := room.Connect(), room.Connect()
	text := strings.Repeat("x", 300)
	makeTurn(first, "", "", "one", text)
	makeTurn(second, "", "", "two", text)
	if !has(first, "one") || !has(second, "two") {
		t.Fatal("two responses fit")
	}
	has(first, "one") // which is now the newest
	makeTurn(second, "other", "", "three", text)
	if !has(first, "one") || has(second, "two") || !has(second, "three") {
		t.Errorf("one %v, two %v, three %v", has(first, "one"), has(second, "two"),
			has(second, "three"))
	}
	makeTurn(second, "other", "three", "large", strings.Repeat("x", 1000))
	if has(second, "large") || has(second, "three") {
		t.Error("a response above the limit is kept, or the one before it")
	}
	first.Close()
	second.Close()
	if room.size != 0 || room.recent.Len() != 0 {
		t.Errorf("%d bytes are left", room.size)
	}
}

func TestAConnectionDoesNotSeeTheResponsesOfAnother(t *testing.T) {
	t.Parallel()
	room := &Room{}
	room.Limit(1<<20, 1<<20)
	first, second := room.Connect(), room.Connect()
	makeTurn(first, "", "", "one", "x")
	if has(second, "one") {
		t.Error("it sees it")
	}
}

func TestAFailedResponseCannotBeContinued(t *testing.T) {
	t.Parallel()
	room := &Room{}
	room.Limit(1<<20, 1<<20)
	c := room.Connect()
	makeTurn(c, "", "", "one", "x")
	l := c.Begin("", "one")
	l.keep(nil, made("two", openaiapi.ResponseStatusFailed), false)
	l.End()
	if has(c, "one") || has(c, "two") {
		t.Error("the failed response or the one before it is kept")
	}
}
