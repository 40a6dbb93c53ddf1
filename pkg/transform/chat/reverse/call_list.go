package reverse

import (
	"cmp"
	"hash/maphash"
	"slices"
	"strings"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
)

// callList collects the pieces of calls. Each piece belongs to the call of its index, or of its id
// where several calls have one index; a call is sent when it is complete and all before it were
// sent.
type callList struct {
	open      []openCall // in the order of their indexes; those that are sent are gone
	begun     int        // calls so far
	malformed string     // which call makes no sense
	sent      sentCalls
	// ordinals are those of the calls by index and id, once a piece has named a call that is not
	// the last of its index.
	ordinals map[callKey]int
}

// callKey is what a piece says of its call.
type callKey struct {
	index int
	id    string
}

// at returns the call that a piece belongs to, which may begin with it.
func (l *callList) at(index int, id string, said *openaiapi.FunctionCallChunk) *openCall {
	if call := l.goesOn(index, id, jsonx.Deref(said.Name)); call != nil {
		return call
	}
	return l.begin(index)
}

// goesOn returns the call that a piece goes on with, nil for one that begins another. Servers that
// count no calls have them all at the index 0; then another id, or another name behind complete
// arguments, begins a call. Some make a new id for each piece: one that names no function then goes
// on with a named call that is not complete.
func (l *callList) goesOn(index int, id, name string) *openCall {
	call := l.last(index)
	if call == nil {
		return nil
	}
	if id == "" || call.id == "" || id == call.id {
		isNext := name != "" && call.name != "" && (id == "" || id != call.id) && call.isComplete()
		if isNext {
			return nil
		}
		return call
	}
	if known := l.byID(index, id); known != nil &&
		(name == "" || known.name == "" || name == known.name) {
		return known
	}
	if name == "" && call.name != "" && !call.isComplete() {
		return call
	}
	return nil
}

// begin returns a new call of an index.
func (l *callList) begin(index int) *openCall {
	ordinal := 0
	if before := l.last(index); before != nil {
		ordinal = before.ordinal + 1
	}
	l.begun++
	begun := openCall{index: index, ordinal: ordinal}
	at, _ := slices.BinarySearchFunc(l.open, begun, compareCalls)
	l.open = slices.Insert(l.open, at, begun)
	return &l.open[at]
}

// joinPieces adds to each call that is not complete the calls behind it that no piece has named,
// and returns the pointers of these: servers of Oracle's count the pieces in place of the calls.
// Only the end tells that no name comes.
func (l *callList) joinPieces() (joined []string) {
	calls := l.open[:0]
	for i := range l.open {
		piece := &l.open[i]
		if len(calls) > 0 && piece.name == "" && piece.at != "" && len(piece.arguments) > 0 {
			if call := &calls[len(calls)-1]; call.name != "" && !call.isCustom &&
				!call.isComplete() {
				call.add("", "", string(piece.arguments))
				joined = append(joined, piece.at)
				continue
			}
		}
		calls = append(calls, *piece)
	}
	clear(l.open[len(calls):])
	l.open = calls
	return joined
}

// of returns the call of an index and an ordinal, nil for none.
func (l *callList) of(index, ordinal int) *openCall {
	at, found := slices.BinarySearchFunc(l.open, openCall{index: index, ordinal: ordinal},
		compareCalls)
	if !found {
		return nil
	}
	return &l.open[at]
}

// compareCalls puts calls into the order of their indexes.
func compareCalls(a, b openCall) int {
	return cmp.Or(cmp.Compare(a.index, b.index), cmp.Compare(a.ordinal, b.ordinal))
}

// last returns the last call of an index, nil for none.
func (l *callList) last(index int) *openCall {
	at, _ := slices.BinarySearchFunc(l.open, index+1,
		func(c openCall, index int) int { return cmp.Compare(c.index, index) })
	if at == 0 || l.open[at-1].index != index {
		return nil
	}
	return &l.open[at-1]
}

// byID returns the call of an index and an id, nil for none and for one that was sent.
func (l *callList) byID(index int, id string) *openCall {
	if l.ordinals == nil {
		l.ordinals = map[callKey]int{}
		for i := range l.open {
			l.name(&l.open[i], l.open[i].id)
		}
	}
	ordinal, isKnown := l.ordinals[callKey{index, id}]
	if !isKnown {
		return nil
	}
	return l.of(index, ordinal)
}

// name notes the id of a call, of which the first counts.
func (l *callList) name(call *openCall, id string) {
	if l.ordinals != nil && id != "" && (call.id == "" || call.id == id) {
		l.ordinals[callKey{call.index, id}] = call.ordinal
	}
}

// sentCalls are the calls of a choice that were sent. A whole message after them may repeat them.
type sentCalls struct {
	list []sentCall
	// the positions in the list of the first noted of them, made when a message asks
	byID     map[string]int
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
	return sentCall{call.id, call.name,
		maphash.String(hashSeed, strings.Trim(call.arguments, jsonSpace))}
}

// add notes a call that is sent.
func (s *sentCalls) add(call calledFunction) { s.list = append(s.list, sentCallOf(call)) }

// find returns the call that one at a position of a message's list repeats, nil for none: that of
// its id. Where one of the two has no id, it is the one at its position: as it is, or of deltas one
// of its name.
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
