package gateway_test

import (
	"bytes"
	"regexp"
	"testing"

	"github.com/gemwire/gemwire/internal/eventtext"
	"github.com/gemwire/gemwire/pkg/geminitest"
)

// randomParts are the parts of events that differ between two turns.
var randomParts = regexp.MustCompile(`(resp|msg|rs|fc|req)_[0-9a-f]+|"(created|completed)_at":\d+`)

func TestFramesAreTheDataOfTheEventsByHTTP(t *testing.T) {
	t.Parallel()
	server := geminitest.NewServer(t)
	handler := gatewayOf(t, server)
	var want [][]byte
	body := post(handler, responsesPath, asked("hello", `,"stream":true`)).Body.Bytes()
	for event := range bytes.SplitSeq(body, []byte(eventtext.End)) {
		if data := eventtext.Data(event); len(data) > 0 {
			want = append(want, data)
		}
	}
	client := dialSocket(t, handler)
	client.send(t, creating("hello", ""))
	frames := client.turn(t)
	if len(frames) != len(want) {
		t.Fatalf("%d frames, want %d", len(frames), len(want))
	}
	for i := range frames {
		got := randomParts.ReplaceAllString(frames[i].text, "#")
		if wanted := randomParts.ReplaceAllString(string(want[i]), "#"); got != wanted {
			t.Errorf("frame %d is\n%s, want\n%s", i, got, wanted)
		}
	}
}
