package reverse

import (
	"hash/maphash"
	"strings"
)

// sentCalls are the calls of a choice that were sent, by which it is known what a whole message behind them repeats.
type sentCalls struct {
	list     []sentCall
	byID     map[string]int // the positions in the list of the first noted of them, made when a message asks
	noted    int
	ofDeltas bool // Deltas had one of them.
}

// sentCall is a call without its arguments, for which a hash stands.
type sentCall struct {
	id, name  string
	arguments uint64
}

// hashSeed is the seed of the hashes of what was sent and is not kept. It is never written to.
var hashSeed = maphash.MakeSeed()

func sentCallOf(call calledFunction) sentCall {
	return sentCall{call.id, call.name, maphash.String(hashSeed, strings.Trim(call.arguments, jsonSpace))}
}

// add notes a call that is sent.
func (s *sentCalls) add(call calledFunction) { s.list = append(s.list, sentCallOf(call)) }

// find returns the call that one at a position of a message's list repeats, nil for none: that of its id. Where one of the
// two has no id, it is the one at its position: as it is, or of deltas one of its name.
func (s *sentCalls) find(position int, call calledFunction) *sentCall {
	if s.byID == nil {
		s.byID = map[string]int{}
	}
	for ; s.noted < len(s.list); s.noted++ {
		if id := s.list[s.noted].id; id != "" {
			if _, isKnown := s.byID[id]; !isKnown {
				s.byID[id] = s.noted
			}
		}
	}
	if at, isKnown := s.byID[call.id]; isKnown && call.id != "" {
		return &s.list[at]
	}
	if position >= len(s.list) {
		return nil
	}
	sent := &s.list[position]
	isSame := sent.name == call.name && (s.ofDeltas || sent.arguments == sentCallOf(call).arguments)
	if !isSame || sent.id != "" && call.id != "" {
		return nil
	}
	return sent
}
