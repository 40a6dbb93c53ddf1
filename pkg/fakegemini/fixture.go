package fakegemini

import (
	"fmt"

	"github.com/gemwire/gemwire/pkg/fakegemini/internal/script"
)

// Fixture answers the requests that it matches. It is made by [On] and may be used by several
// servers, also at the same time, once it is complete.
type Fixture struct {
	data script.Fixture
}

// On returns a fixture for requests that all of the matchers match; without any, for each
// generateContent and streamGenerateContent. It needs a [Fixture.Reply].
//
//	fakegemini.On(fakegemini.Prompt("weather")).Reply(fakegemini.Call("get_weather", `{"city": "Porto"}`))
//
// The first fixture of a server that matches a request answers it.
func On(matchers ...Matcher) *Fixture {
	return &Fixture{data: script.Fixture{Match: matchOf(matchers)}}
}

// Reply adds an answer, which consists of the blocks in their order. In a stream each is a chunk at
// least. The method that the client called decides whether it is one.
//
// A fixture with one answer gives it each time. One with several gives each once, in their order;
// when all are given it matches nothing any more, see [Fixture.Times].
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

// Times has the fixture answer n requests, the last answer repeated; 0 is any number.
func (f *Fixture) Times(n int) *Fixture {
	f.data.Times = &n
	return f
}

// Named gives the fixture a name for reports; without one it is called by its number.
func (f *Fixture) Named(name string) *Fixture {
	f.data.Name = name
	return f
}

// Unchecked has the fixture answer also what the real server would refuse.
func (f *Fixture) Unchecked() *Fixture {
	f.data.Unchecked = true
	return f
}
