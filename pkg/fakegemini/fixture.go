package fakegemini

import (
	"fmt"

	"github.com/gemwire/gemwire/pkg/fakegemini/internal/script"
)

// Fixture answers the requests that it matches. [On] makes a fixture. When it is complete, several
// servers may use it, also at the same time.
type Fixture struct {
	data script.Fixture
}

// On returns a fixture for requests that all of the matchers match. Without matchers it matches
// each generateContent and streamGenerateContent. It needs a [Fixture.Reply].
//
//	fakegemini.On(fakegemini.Prompt("weather")).Reply(fakegemini.Call("get_weather", `{"city": "Porto"}`))
//
// The first fixture of a server that matches a request answers it.
func On(matchers ...Matcher) *Fixture {
	return &Fixture{data: script.Fixture{Match: matchOf(matchers)}}
}

// Reply adds an answer, which consists of the blocks in order. In a stream each block is at least
// one chunk. The method that the client calls decides whether the answer is a stream.
//
// A fixture with one answer gives it each time. A fixture with several answers gives each once, in
// order, and then matches nothing; see [Fixture.Times].
func (f *Fixture) Reply(blocks ...Block) *Fixture {
	var answer script.Answer
	for i, block := range blocks {
		if block == nil {
			answer.Blocks = append(answer.Blocks,
				script.Block{Mistake: fmt.Errorf("block %d of Reply is nil", i)})
			continue
		}
		block(&answer)
	}
	f.data.Replies = append(f.data.Replies, answer)
	return f
}

// Times makes the fixture answer n requests and repeat its last answer; 0 is any number.
func (f *Fixture) Times(n int) *Fixture {
	f.data.Times = &n
	return f
}

// Named sets the name of the fixture in reports; the default is its number.
func (f *Fixture) Named(name string) *Fixture {
	f.data.Name = name
	return f
}

// Unchecked lets the fixture also answer requests that the real server would refuse.
func (f *Fixture) Unchecked() *Fixture {
	f.data.Unchecked = true
	return f
}
