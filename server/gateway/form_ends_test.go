package gateway_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gemwire/gemwire/pkg/geminitest"
	"github.com/gemwire/gemwire/server/gateway"
)

// The last event of a failed stream, identified by a member that only it has, and a text that
// complete streams contain.
var failedStreams = map[string]struct{ path, body, failed, complete string }{
	"chat":      {chatPath, streamed(hello), `data: {"error":`, "[DONE]"},
	"responses": {responsesPath, asked("hello", `,"stream":true`+weatherTool), "event: response.failed\n", "response.completed"},
	"messages":  {messagesPath, streamed(said("hello", "")), "event: error\n", "message_stop"},
	"native":    {nativeSSE, nativeHello, `"error":`, `"finishReason"`},
}

// In each form a failed stream reports the failure once, as its last event. A stream in Google's
// own form may be cut off instead.
func TestAFailedStreamOfAnyFormEndsOnce(t *testing.T) {
	t.Parallel()
	for form, asked := range failedStreams {
		for place, before := range endPlaces {
			for name, block := range endFaults {
				for _, mode := range []gateway.HeartbeatMode{gateway.HeartbeatChunk,
					gateway.HeartbeatOff} {
					upstream := append(slices.Clone(before), geminitest.Pause(12*time.Second),
						block)
					if before == nil {
						upstream = []geminitest.Block{geminitest.TTFT(12 * time.Second), block}
					}
					synctest.Test(t, func(t *testing.T) {
						server := geminitest.NewServer(t,
							geminitest.WithScript(geminitest.On().Reply(upstream...).Times(9)))
						limits := map[string]gateway.ModelSettings{"": {FirstByte: endFirstByte,
							Idle: endIdle}}
						handler := gatewayOf(t, server, gateway.WithHeartbeat(mode, 4*time.Second),
							gateway.WithMaxAttempts(1), gateway.WithModelSettings(limits))
						answer := serveLive(handler, http.MethodPost, asked.path, asked.body)
						<-answer.done
						if fault := answer.faultOfEnd(asked.failed, asked.complete,
							form == "native"); fault != "" {
							t.Errorf("%s: %s %s, heartbeat %s: %s: HTTP %d: %s", form, name, place,
								mode, fault, answer.code, answer.text())
						}
					})
				}
			}
		}
	}
}

// A gateway that is closed ends the streams of each form in the same way.
func TestAStreamOfAnyFormEndsOnceWhenTheGatewayIsClosed(t *testing.T) {
	t.Parallel()
	for form, asked := range failedStreams {
		for place, before := range endPlaces {
			for _, at := range []time.Duration{time.Second, 14 * time.Second} {
				synctest.Test(t, func(t *testing.T) {
					reply := geminitest.On().Reply(append(slices.Clone(before),
						geminitest.Stall())...)
					server := geminitest.NewServer(t, geminitest.WithScript(reply.Times(9)))
					handler := gatewayOf(t, server)
					answer := serveLive(handler, http.MethodPost, asked.path, asked.body)
					time.Sleep(at)
					handler.Close()
					<-answer.done
					if fault := answer.faultOfEnd(asked.failed, asked.complete,
						form == "native"); fault != "" {
						t.Errorf("%s: closed %s at %s: %s: HTTP %d: %s", form, place, at, fault,
							answer.code, answer.text())
					}
				})
			}
		}
	}
}

// faultOfEnd describes the fault in the end of a failed stream, or returns "".
func (a *liveAnswer) faultOfEnd(failed, complete string, mayBeCut bool) string {
	body := strings.ReplaceAll(a.text(), "\r\n", "\n")
	events := strings.Split(strings.TrimRight(body, "\n"), "\n\n")
	last := events[len(events)-1]
	switch {
	case a.code >= http.StatusBadRequest && strings.Contains(body, `"error"`) && !a.isCut:
		return ""
	case a.isCut && !mayBeCut:
		return "it is cut off"
	case a.isCut:
		return ""
	case a.code != http.StatusOK:
		return "not an error"
	case strings.Contains(body, complete):
		return "it looks complete"
	case strings.Count(body, failed) != 1:
		return fmt.Sprintf("it has %d ends", strings.Count(body, failed))
	case !strings.Contains(last, failed):
		return "something follows the end"
	default:
		return ""
	}
}
