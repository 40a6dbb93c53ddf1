package gateway_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gemwire/gemwire/pkg/geminitest"
	"github.com/gemwire/gemwire/server/gateway"
)

// An upstream may send endBlocks before its stream ends, and endLast as the last data.
var (
	endBlocks = []geminitest.Block{
		geminitest.Text("one "), geminitest.Thought("Let me see. "),
		geminitest.Call("get_weather", `{"city":"x"}`), geminitest.Chunk(callBegins),
		geminitest.Chunk(callSignedTwice), geminitest.Signed("c2lnbmVk", geminitest.Text("two ")),
		geminitest.OfCandidate(1, geminitest.Text("other ")),
		geminitest.Pause(time.Second), geminitest.Pause(6 * time.Second),
		geminitest.Pause(endIdle - time.Second),
		geminitest.Chunk(`{}`),
		geminitest.Chunk(`{"candidates":[{"finishReason":"STOP","index":0}]}`),
		geminitest.Chunk(`{"promptFeedback":{"blockReason":"SAFETY"}}`),
		geminitest.Chunk(`{"candidates":[{"content":{"parts":[{}]}}]}`),
	}
	endLast = []geminitest.Block{
		geminitest.Text("end"), geminitest.Finish("MAX_TOKENS"), geminitest.Finish("SAFETY"),
		geminitest.Finish("MALFORMED_FUNCTION_CALL"),
		geminitest.InternalError(), geminitest.AsEvent(geminitest.Unavailable()),
		geminitest.AsEvent(geminitest.DailyQuota(time.Second)),
		geminitest.RateLimited(time.Second), geminitest.Cut(), geminitest.Truncate(),
		geminitest.Reset(), geminitest.Garbage(), geminitest.Stall(),
		geminitest.HTMLPage(200), geminitest.EmptyBody(200),
	}
	endStops = []stop{stopNothing, stopCancel, stopDelete, stopClose}
)

// endingStreamOf makes a stream from bytes: the request, the time when it is stopped, the blocks
// and the last block.
func endingStreamOf(data []byte) *endingStream {
	at := func(i int) int {
		if i < len(data) {
			return int(data[i])
		}
		return 0
	}
	flags := at(0)
	e := &endingStream{
		heartbeat: gateway.HeartbeatComment, isStrict: flags&1 != 0, inBackground: flags&2 != 0,
		isPolled: flags&6 == 6,
		stop:     endStops[flags>>3&3],
		// not at the moment at which the stream ends by itself, when any order is right
		stopAt: time.Duration(at(1)%32)*time.Second + time.Millisecond,
	}
	if flags&32 != 0 {
		e.heartbeat = gateway.HeartbeatOff
	}
	// clients that join while the response is deleted may receive a part
	e.followAt = e.stopAt * time.Duration(at(2)%4) / 4
	if flags&64 != 0 {
		e.upstream = append(e.upstream, geminitest.TTFT(time.Duration(at(1))*100*time.Millisecond))
	}
	for i := 4; i < len(data) && i < 12; i++ {
		e.upstream = append(e.upstream, endBlocks[at(i)%len(endBlocks)])
	}
	e.upstream = append(e.upstream, endLast[at(3)%len(endLast)])
	return e
}

// FuzzAnyEndOfAStreamIsItsOnlyEnd uses an upstream that sends arbitrary data and fails anywhere,
// and clients that stop the response at any time. Each stream of the response must end once, and
// all must be equal.
func FuzzAnyEndOfAStreamIsItsOnlyEnd(f *testing.F) {
	random := rand.New(rand.NewPCG(25, 5))
	for range 100 {
		data := make([]byte, 4+random.IntN(8))
		for i := range data {
			data[i] = byte(random.Uint32())
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		synctest.Test(t, func(t *testing.T) {
			e := endingStreamOf(data)
			got := e.run(t)
			got.check(t, fmt.Sprint(data), "")
			if e.inBackground && e.stop != stopDelete && got.code == 200 &&
				(got.response == nil || got.kept == nil) {
				t.Errorf("not kept: %+v", got.response)
			}
		})
	})
}
