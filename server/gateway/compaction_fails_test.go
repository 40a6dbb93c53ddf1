package gateway_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/geminitest"
)

// longItems are a conversation that is longer than the threshold of shortRule.
var longItems = `{"role":"user","content":"` + strings.Repeat("blue word ", 800) +
	`"},{"role":"assistant","content":"Noted."},{"role":"user","content":"Go on."}`

const shortRule = `,"context_management":[{"type":"compaction","compact_threshold":1000}]`

// The answer has no item, because an item without the whole summary would lose the conversation.
func TestASummaryThatIsNotCompleteFails(t *testing.T) {
	t.Parallel()
	for name, reply := range map[string][]geminitest.Block{
		"cut off": {aSummary, geminitest.Finish(geminiapi.FinishReasonMaxTokens)},
		"refused": {geminitest.Finish(geminiapi.FinishReasonSafety)},
		"blank":   {geminitest.Text(" \n")},
	} {
		for way, request := range map[string][2]string{
			"/compact":             {compactPath, compactBody(oldItems, "")},
			"a trigger":            {responsesPath, compactBody(oldItems+trigger, "")},
			"a streamed trigger":   {responsesPath, compactBody(oldItems+trigger, `,"stream":true`)},
			"context_management":   {responsesPath, compactBody(longItems, shortRule)},
			"the same in a stream": {responsesPath, compactBody(longItems, shortRule+`,"stream":true`)},
		} {
			t.Run(way+", "+name, func(t *testing.T) {
				t.Parallel()
				answer := post(gatewayOf(t, summarising(t, reply...)), request[0], request[1])
				openaitest.Subset(t, answer.Body.String(), `{"error":{"code":"compaction_failed"}}`)
				if answer.Code != http.StatusBadGateway ||
					strings.Contains(answer.Body.String(), "encrypted_content") {
					t.Errorf("HTTP %d: %s", answer.Code, answer.Body)
				}
			})
		}
		t.Run("by WebSocket, "+name, func(t *testing.T) {
			t.Parallel()
			client := dialSocket(t, gatewayOf(t, summarising(t, reply...)))
			f := client.last(t, ofInput("["+oldItems+trigger+"]", noStore))
			failsWith(t, f, "compaction_failed")
			completes(t, client.create(t, "hello", noStore))
		})
	}
}
