package script

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gemwire/gemwire/pkg/fakegemini/internal/received"
)

// Fake has the parts of the server that a script uses.
type Fake struct {
	// Check answers requests that the real server refuses, and passes other requests to next. nil
	// passes all.
	Check func(next http.Handler) http.Handler
	// CachedTokens returns the number of tokens in the cached content that a request names. nil
	// means 0.
	CachedTokens func(*received.Request) int
	// Now returns the time for looking models up. nil is [time.Now].
	Now func() time.Time
	// Unmatched receives the reason why a strict script refused a request.
	Unmatched func(report string)
}

// Player answers requests from a script. [NewPlayer] makes a Player. It is safe for concurrent use.
// It does not change fixtures, so several players may share them.
type Player struct {
	script Script
	fake   Fake

	mu    sync.Mutex
	uses  []int // of each fixture
	draws []int // of each fixture's chance
}

// NewPlayer returns a player at the beginning of a script.
func NewPlayer(s Script, fake Fake) *Player {
	s.Fixtures = slices.Clone(s.Fixtures)
	return &Player{script: s, fake: fake, uses: make([]int, len(s.Fixtures)),
		draws: make([]int, len(s.Fixtures))}
}

// Add appends a fixture. It returns an error if the fixture is invalid.
func (p *Player) Add(f Fixture) error {
	if pointer, err := f.check(); err != nil {
		return fmt.Errorf("%s: %w", cmp.Or(pointer, "the fixture"), err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.script.Fixtures = append(p.script.Fixtures, f)
	p.uses, p.draws = append(p.uses, 0), append(p.draws, 0)
	return nil
}

// Wrap answers requests that the script matches, and passes other requests to next.
func (p *Player) Wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		request := received.From(r)
		turn, ok := p.choose(request)
		switch {
		case ok:
			p.answer(w, r, request, turn)
		case p.script.Strict && isGenerate(request.Operation):
			p.refuse(w, request)
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// turn is one use of a fixture.
type turn struct {
	answer    Answer
	unchecked bool
	random    *rand.Rand
	seed      uint64
	number    int // the number of the use in the whole script, for unique ids
	when      time.Time
}

// choose takes the next answer of the first fixture that matches.
func (p *Player) choose(r *received.Request) (turn, bool) {
	facts := factsOf(r)
	p.mu.Lock()
	defer p.mu.Unlock()
	for i := range p.script.Fixtures {
		f := &p.script.Fixtures[i]
		if p.isUsedUp(i) || len(f.Match.differences(r, facts)) > 0 || !p.isLucky(i) {
			continue
		}
		answers := f.Answers()
		answer := answers[min(p.uses[i], len(answers)-1)]
		p.uses[i]++
		return turn{
			answer: answer, unchecked: f.Unchecked, random: p.random(i, p.uses[i]),
			seed: p.script.Seed, number: i<<32 | p.uses[i],
		}, true
	}
	return turn{}, false
}

func (p *Player) isUsedUp(i int) bool {
	limit := p.script.Fixtures[i].limit()
	return limit >= 0 && p.uses[i] >= limit
}

// isLucky decides whether a fixture with a chance matches this time.
func (p *Player) isLucky(i int) bool {
	chance := p.script.Fixtures[i].Match.Chance
	if chance == nil {
		return true
	}
	p.draws[i]++
	return p.random(i, -p.draws[i]).Float64() < *chance
}

// random returns numbers that depend only on the seed, the fixture and the use, so that parallel
// requests do not affect each other.
func (p *Player) random(fixture, use int) *rand.Rand {
	return rand.New(rand.NewPCG(p.script.Seed, uint64(fixture)<<32^uint64(use)))
}

// Unused describes the fixtures that have not given all of their answers.
func (p *Player) Unused() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	var unused []string
	for i := range p.script.Fixtures {
		want := max(p.script.Fixtures[i].limit(), 1)
		if used := p.uses[i]; used < want && p.script.Fixtures[i].Match.Chance == nil {
			unused = append(unused,
				fmt.Sprintf("%s answered %d of %d requests", p.script.label(i), used, want))
		}
	}
	return unused
}

// nearest describes the fixture that nearly matches a request, and what differs.
func (p *Player) nearest(r *received.Request) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	best, least := "", 0
	for i := range p.script.Fixtures {
		var why []string
		for _, difference := range p.script.Fixtures[i].Match.Differences(r) {
			why = append(why, difference.String())
		}
		if p.isUsedUp(i) {
			why = append(why, fmt.Sprintf("no answers left (%d given)", p.uses[i]))
		}
		if len(why) == 0 {
			why = append(why, "its chance did not match this time")
		}
		if best == "" || len(why) < least {
			best, least = p.script.label(i)+":\n  "+strings.Join(why, "\n  "), len(why)
		}
	}
	return best
}

// unmatched describes why no fixture matches a request.
func (p *Player) unmatched(r *received.Request) string {
	report := fmt.Sprintf("no fixture of the script matches %s", Describe(r))
	if nearest := p.nearest(r); nearest != "" {
		report += "; the nearest is " + nearest
	}
	return report
}

// Describe describes a request in one line.
func Describe(r *received.Request) string {
	f := factsOf(r)
	words := []string{orNone(r.Operation)}
	if r.Operation == "" {
		words = []string{r.Method + " " + r.URL.Path}
	}
	if r.Model != "" {
		words = append(words, "of "+r.Model)
	}
	if f.prompt != "" {
		words = append(words,
			fmt.Sprintf("with the prompt %s, turn %d", quoteShort(f.prompt), f.turn))
	}
	for _, result := range f.results {
		words = append(words, "and the result of "+result.String())
	}
	return strings.Join(words, " ")
}
