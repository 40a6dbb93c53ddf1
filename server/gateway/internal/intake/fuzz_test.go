package intake_test

import (
	"context"
	"errors"
	"net"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gemwire/gemwire/server/gateway/internal/intake"
)

// piece is a part of a body that a client sends after a pause.
type piece struct {
	pause time.Duration
	size  int
}

// piecesOf makes pieces from pairs of bytes. A piece has up to 1 MiB, and a pause of up to 51 s.
func piecesOf(data []byte) (pieces []piece, size int) {
	for i := 0; i+1 < len(data) && i < 32; i += 2 {
		p := piece{time.Duration(data[i]) * 200 * time.Millisecond, 1 << (data[i+1] % 21)}
		pieces = append(pieces, p)
		size += p.size
	}
	return pieces, size
}

// FuzzABodyComesInTimeOrIsGivenUp simulates a client that sends a body in pieces with pauses. The
// body is read if each piece is large enough for the pause before it. Reading never takes longer
// than the time of a stall plus the time for its bytes. The body is never refused before the time
// of a stall. At the end its memory is free.
func FuzzABodyComesInTimeOrIsGivenUp(f *testing.F) {
	for _, data := range []string{"", "\x00\x05", "\x96\x00\x96\x14", "\x01\x10\x01\x10\xff\x14",
		"\x05\x0e\x05\x0e\x05\x0e\x05\x0e", "\xa0\x14\xa0\x14\x00\x00\xff\x00"} {
		f.Add([]byte(data), uint8(0))
		f.Add([]byte(data), uint8(1))
	}
	f.Fuzz(func(t *testing.T, data []byte, flags uint8) {
		pieces, size := piecesOf(data)
		isSteady := true
		pace := terms("a").Pace
		for _, p := range pieces {
			isSteady = isSteady && p.pause < pace.Stall && p.pause <= earned(p.size, pace)
		}
		synctest.Test(t, func(t *testing.T) {
			gate := intake.NewGate(intake.Limits{BodySize: 32 << 20})
			client, server := net.Pipe()
			sent := make(chan struct{})
			go func() {
				defer close(sent)
				for _, p := range pieces {
					time.Sleep(p.pause)
					if _, err := client.Write(make([]byte, p.size)); err != nil {
						return
					}
				}
				_ = client.Close()
			}()
			announced := int64(size)
			if flags&1 != 0 {
				announced = -1
			}
			w := &connectionWriter{ResponseRecorder: httptest.NewRecorder(), connection: server}
			begin := time.Now()
			body, err := gate.Read(w, request(server, announced), terms("a"))
			took, came := time.Since(begin), len(body.Data)
			switch {
			case err == nil && (came != size || w.deadline != (time.Time{})):
				t.Errorf("%v: %d of %d bytes, deadline %v", pieces, came, size, w.deadline)
			case err != nil && (!errors.Is(err, intake.ErrSlow) || isSteady || took < pace.Stall):
				t.Errorf("%v: after %v and %d bytes: %v", pieces, took, came, err)
			}
			if most := pace.Stall + earned(came, pace); took > most {
				t.Errorf("%v: took %v, expected at most %v", pieces, took, most)
			}
			body.Release()
			_ = server.Close()
			<-sent
			whole, err := gate.Read(httptest.NewRecorder(), request(strings.NewReader("x"), 32<<20),
				terms("b"))
			if whole.Release(); err != nil {
				t.Errorf("%v: the room is not free: %v", pieces, err)
			}
		})
	})
}

// earned is the maximum time for a number of bytes.
func earned(size int, pace intake.Pace) time.Duration {
	return time.Duration(float64(size) / float64(pace.Rate) * float64(time.Second))
}

// FuzzALineKeepsItsLimitAndItsTime simulates requests that arrive, wait, are served for a while and
// leave. The number of served requests and each wait stay within their limits. No request is
// refused that could be served, and the line is empty at the end. One client has at most half of
// the uploads.
func FuzzALineKeepsItsLimitAndItsTime(f *testing.F) {
	for _, data := range []string{"", "\x00\x0a\x05",
		"\x00\xff\x00\x00\xff\x01\x00\xff\x02\x00\xff\x03", strings.Repeat("\x01\x20\x08", 30)} {
		f.Add([]byte(data), uint8(2))
		f.Add([]byte(data), uint8(0x82))
	}
	f.Fuzz(func(t *testing.T, data []byte, flags uint8) {
		synctest.Test(t, func(t *testing.T) {
			most, isShared := 1+int(flags)%4, flags&0x80 != 0
			gate := intake.NewGate(intake.Limits{Concurrent: most})
			line := gate.Calls
			if isShared {
				line = gate.Uploads
			}
			var mu sync.Mutex
			served := 0
			held := map[string]int{}
			var left time.Time // when one left last, since another may be refused at the same time
			var requests sync.WaitGroup
			for i := 0; i+2 < len(data) && i < 300; i += 3 {
				time.Sleep(time.Duration(data[i]%16) * 10 * time.Millisecond)
				serving, wait := time.Duration(data[i+1])*10*time.Millisecond,
					time.Duration(data[i+2]%64)*10*time.Millisecond
				client := string(rune('a' + data[i+2]/64))
				ctx, cancel := context.WithTimeout(t.Context(),
					time.Duration(data[i]/16)*100*time.Millisecond)
				requests.Go(func() {
					defer cancel()
					begin := time.Now()
					err := line.Enter(ctx, client, wait)
					mu.Lock()
					defer mu.Unlock()
					if waited := time.Since(begin); waited > wait {
						t.Errorf("waited %v, expected at most %v", waited, wait)
					}
					if err != nil {
						if served < most && left != time.Now() &&
							(!isShared || held[client] < (most+1)/2) {
							t.Errorf("refused while %d of %d are served: %v", served, most, err)
						}
						return
					}
					served++
					held[client]++
					if served > most || isShared && held[client] > (most+1)/2 {
						t.Errorf("%d are served, %v, expected at most %d", served, held, most)
					}
					mu.Unlock()
					time.Sleep(serving)
					mu.Lock()
					served--
					held[client]--
					left = time.Now()
					line.Leave(client)
				})
				synctest.Wait()
			}
			requests.Wait()
			got := 0
			for i := range most {
				got += enter(line, string(rune('p'+i)), 0)
			}
			if got != most {
				t.Errorf("in the end %d are let in, expected %d", got, most)
			}
		})
	})
}
