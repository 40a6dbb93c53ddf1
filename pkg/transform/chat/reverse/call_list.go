package reverse

import (
	"cmp"
	"hash/maphash"
	"slices"
	"strings"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
)

// callList collects the pieces of calls. A piece belongs to the call of its index. If several calls
// have one index, the id decides. A call is sent when it is complete and all earlier calls were
// sent.
type callList struct {
	open      []openCall // in the order of their indexes; sent calls are removed
	begun     int        // number of calls so far
	malformed string     // the malformed call
	sent      sentCalls
	// ordinals are the ordinals of calls by index and id. The map is made when a piece names a call
	// that is not the last of its index.
	ordinals map[callKey]int
}

// callKey identifies the call of a piece.
type callKey struct {
	index int
	id    string
}

// at returns the call that a piece belongs to. It starts a new call if needed.
func (l *callList) at(index int, id string, said *openaiapi.FunctionCallChunk) *openCall {
	if call := l.goesOn(index, id, jsonx.Deref(said.Name)); call != nil {
		return call
	}
	return l.begin(index)
}

// goesOn returns the call that a piece continues, or nil if the piece starts a call. Servers that
// do not number calls send index 0 for all of them. Then another id starts a call, or another name
// after complete arguments. Some servers make a new id for each piece. Such a piece without a
// function name continues an incomplete call that has a name.
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

// begin adds a call with an index and returns it.
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

// joinPieces appends calls that no piece has named to the incomplete call before them, and returns
// their pointers. Servers of Oracle number the pieces in place of the calls. It is known only at
// the end that no name arrives.
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

// of returns the call with an index and an ordinal, or nil.
func (l *callList) of(index, ordinal int) *openCall {
	at, found := slices.BinarySearchFunc(l.open, openCall{index: index, ordinal: ordinal},
		compareCalls)
	if !found {
		return nil
	}
	return &l.open[at]
}

// compareCalls compares calls by index.
func compareCalls(a, b openCall) int {
	return cmp.Or(cmp.Compare(a.index, b.index), cmp.Compare(a.ordinal, b.ordinal))
}

// last returns the last call with an index, or nil.
func (l *callList) last(index int) *openCall {
	at, _ := slices.BinarySearchFunc(l.open, index+1,
		func(c openCall, index int) int { return cmp.Compare(c.index, index) })
	if at == 0 || l.open[at-1].index != index {
		return nil
	}
	return &l.open[at-1]
}

// byID returns the call with an index and an id, or nil if the call does not exist or was sent.
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

// name records the id of a call. The first id counts.
func (l *callList) name(call *openCall, id string) {
	if l.ordinals != nil && id != "" && (call.id == "" || call.id == id) {
		l.ordinals[callKey{call.index, id}] = call.ordinal
	}
}

// sentCalls are the calls of a choice that were sent. A later whole message may repeat them.
type sentCalls struct {
	list []sentCall
	// position in list of the first call with an id; made when a message needs it
	byID     map[string]int
	noted    int
	ofDeltas bool // Deltas had one of the calls.
}

// sentCall is a call that keeps a hash in place of its arguments.
type sentCall struct {
	id, name  string
	arguments uint64
}

// hashSeed is the seed for hashes of content that was sent and is not kept. It is never modified.
var hashSeed = maphash.MakeSeed()

func sentCallOf(call calledFunction) sentCall {
	return sentCall{call.id, call.name,
		maphash.String(hashSeed, strings.Trim(call.arguments, jsonSpace))}
}

// add records a call that was sent.
func (s *sentCalls) add(call calledFunction) { s.list = append(s.list, sentCallOf(call)) }

// find returns the sent call that a call of a message repeats, or nil. Calls match by id. If one of
// the two has no id, they match by position: both must be equal, or have equal names if deltas sent
// the calls.
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
