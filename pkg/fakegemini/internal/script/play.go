package script

import (
	"net/http"
	"time"

	"github.com/gemwire/gemwire/pkg/fakegemini/internal/framing"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/received"
)

// answer plays one answer. A fault before all content skips the checks of the request, like a
// broken server.
func (p *Player) answer(w http.ResponseWriter, r *http.Request, request *received.Request, t turn) {
	played := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		out := newOutput(w, r, request, &t.answer)
		if p.fake.CachedTokens != nil {
			out.cachedTokens = p.fake.CachedTokens(request)
		}
		out.when = time.Now()
		if p.fake.Now != nil {
			out.when = p.fake.Now()
		}
		t.when = out.when
		play(out, t)
	})
	if p.fake.Check == nil || t.unchecked || t.answer.failsAtOnce() {
		played.ServeHTTP(w, r)
		return
	}
	p.fake.Check(played).ServeHTTP(w, r)
}

// failsAtOnce reports whether a fault that is the whole answer comes before all content.
func (a *Answer) failsAtOnce() bool {
	for i := range a.Blocks {
		if f := a.Blocks[i].Fault; f != nil && f.EndsAnswer() {
			return true
		}
		if a.Blocks[i].Pause == 0 {
			return false
		}
	}
	return false
}

// play executes the steps of an answer until a fault or the end.
func play(out *output, t turn) {
	if !out.wait(time.Duration(t.answer.TTFT)) {
		return
	}
	steps := stepsOf(out.request, t)
	if out.stream != nil {
		out.completeChunks(steps)
	}
	for _, s := range steps {
		if !out.wait(s.wait) {
			return
		}
		if s.fault != nil {
			out.fail(*s.fault)
			if s.fault.EndsAnswer() {
				return
			}
		}
		if s.chunk != nil && !out.chunk(s) {
			return
		}
	}
	out.end()
}

// refuse answers a request that no fixture of a strict script matches, with an error that clients
// do not retry.
func (p *Player) refuse(w http.ResponseWriter, request *received.Request) {
	report := p.unmatched(request)
	if p.fake.Unmatched != nil {
		p.fake.Unmatched(report)
	}
	framing.WriteComplaint(w, "NO_FIXTURE_MATCHES", report)
}
