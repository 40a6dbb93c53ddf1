package inspector

import (
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/gemwire/gemwire/server/gateway/exchange"
)

// largePictures returns requests with different pictures of a size in bytes.
func largePictures(n, size int) [][]byte {
	random := rand.NewChaCha8([32]byte{1})
	out := make([][]byte, n)
	for i := range out {
		picture := make([]byte, size)
		_, _ = random.Read(picture)
		copy(picture, "\x89PNG\r\n\x1a\n")
		out[i] = fmt.Appendf(nil,
			`{"contents":[{"parts":[{"inlineData":{"mimeType":"image/png","data":%q}}]}]}`,
			base64.StdEncoding.EncodeToString(picture))
	}
	return out
}

// The time of an operation is how long 4 parallel clients with large pictures wait for the
// inspector. The metric ms/recorded is the time until everything is recorded.
func BenchmarkClientsWithLargePictures(b *testing.B) {
	bodies := largePictures(4, 9<<20)
	var whole time.Duration
	for b.Loop() {
		b.StopTimer()
		i, err := New(WithBodies(), WithSecrets("an-upstream-key-of-39-characters-abcdefg"))
		if err != nil {
			b.Fatal(err)
		}
		began := time.Now()
		b.StartTimer()
		var clients sync.WaitGroup
		for _, body := range bodies {
			clients.Go(func() {
				r := i.Begin(exchange.Start{At: time.Now(), Form: "native", Method: "POST"})
				r.Request(exchange.Client, exchange.Request{Method: "POST", URL: "/x", Body: body})
				r.Request(exchange.Upstream, exchange.Request{Method: "POST", URL: "/x", Body: body})
				r.End(exchange.End{Status: 200})
			})
		}
		clients.Wait()
		b.StopTimer()
		i.store.settle(b.Context())
		whole += time.Since(began)
		i.Close()
		b.StartTimer()
	}
	b.ReportMetric(float64(whole.Milliseconds())/float64(b.N), "ms/recorded")
}

func BenchmarkKeepALargePicture(b *testing.B) {
	r := &retention{maxBody: 1 << 20, maxString: 1 << 20, maxMedia: 16 << 20}
	r.add("an-upstream-key-of-39-characters-abcdefg")
	body := largePictures(1, 9<<20)[0]
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		r.body(body)
	}
}
