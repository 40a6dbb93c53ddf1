package reverse

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/optional"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/gemwire/gemwire/pkg/transform/openai/internal/callid"
	"github.com/gemwire/gemwire/pkg/transform/openai/internal/reasoning"
)

// callList collects the pieces of calls. Each piece belongs to the call of its index; a call is sent when it is
// complete and all before it were sent.
type callList struct {
	open      []openCall // in the order of their indexes; those that are sent are gone
	begun     int        // calls so far
	latest    [2]int     // the index and the ordinal of the one that has begun last
	malformed string     // which call makes no sense
	sent      sentCalls
	// ordinals are those of the calls by index and id, once a piece has named a call that is not the last of its index.
	ordinals map[callKey]int
}

// callKey is what a piece says of its call.
type callKey struct {
	index int
	id    string
}

// openCall is a call whose pieces still come.
type openCall struct {
	index     int
	ordinal   int // among the calls with this index
	id, name  string
	arguments []byte
	scan      objectScan // of the arguments
	signature *string
	isCustom  bool // The arguments are the text of a custom call.

	// last is the last piece of the arguments. Where it holds all of them each time, isRepeated is true.
	last       string
	isRepeated bool
}

// isComplete reports whether the arguments so far are an object, to which nothing can be added.
func (c *openCall) isComplete() bool { return !c.isCustom && c.scan.isComplete() }

// takeSignatures keeps the thought signatures of Gemini's in the reasoning_details of a delta for the calls that they are of.
func (s *Stream) takeSignatures(c *streamChoice, details []openaiapi.ReasoningDetail, at string) {
	for i := range details {
		if signature := reasoning.Signature(&details[i]); signature != nil {
			s.keepSignature(c, &details[i], signature, at, i)
		}
	}
}

// keepSignature keeps the signature of a piece of reasoning_details, at a position, unless it came before.
func (s *Stream) keepSignature(c *streamChoice, piece *openaiapi.ReasoningDetail, signature *string, at string, position int) {
	at += "/" + memberReasoningDetails + "/" + strconv.Itoa(position)
	id := callid.WithoutSignature(optional.Value(piece.ID))
	if !c.signatures.isNew(id, *signature) {
		s.report.add(transform.Approximated, at, "the signature came before")
		return
	}
	c.signatures.add(id, signature)
	if piece.ID != nil {
		s.report.add(transform.Approximated, at+"/id", "the signature is of the call of that id, if there is one")
	}
}

// callDeltas adds the pieces of calls that a delta has, and the calls that are complete by them to the turn.
func (s *Stream) callDeltas(c *streamChoice, d *openaiapi.Delta, t *turn) {
	c.calls.sent.ofDeltas = c.calls.sent.ofDeltas || len(d.ToolCalls) > 0 || d.FunctionCall != nil
	for i := range d.ToolCalls {
		s.callDelta(c, &d.ToolCalls[i], t, t.at+"/tool_calls/"+strconv.Itoa(i))
	}
	if d.FunctionCall != nil {
		s.report.loseUnknown(t.at+"/function_call", d.FunctionCall.Unknown)
		call := c.calls.at(0, "", d.FunctionCall)
		call.add("", optional.Value(d.FunctionCall.Name), optional.Value(d.FunctionCall.Arguments))
	}
}

func (s *Stream) callDelta(c *streamChoice, piece *openaiapi.ToolCallChunk, t *turn, at string) {
	s.losePiece(piece, at)
	id, carried, intact := callid.Split(optional.Value(piece.ID))
	if !intact {
		s.report.add(transform.Lost, at+"/id", "the thought signature in it is damaged")
	}
	function, isCustom := s.functionOf(piece, at)
	before := c.calls.begun
	call := c.calls.at(piece.Index, id, &function)
	if c.calls.begun > before {
		index, ordinal := call.index, call.ordinal
		c.sendBefore(index, ordinal, t)
		call = c.calls.of(index, ordinal)
		switch {
		case optional.Value(function.Name) == "" && optional.Value(function.Arguments) == "":
			s.report.add(transform.Approximated, at, "the piece says nothing of a function")
		case piece.Index != c.calls.begun-1:
			s.report.add(transform.Approximated, at+"/index", "calls are counted as they come")
		}
	}
	if call.index != piece.Index {
		s.report.add(transform.Approximated, at+"/index", "the piece names no function, and goes on with the call before it")
	}
	s.reportRepeated(call, id, optional.Value(function.Name), at)
	c.calls.name(call, id)
	if detail := call.add(id, optional.Value(function.Name), optional.Value(function.Arguments)); detail != "" {
		s.report.add(transform.Approximated, at+"/function/arguments", detail)
	}
	call.isCustom = call.isCustom || isCustom
	s.signCall(call, piece, carried, at)
}

// losePiece reports what no call shows of a piece.
func (s *Stream) losePiece(piece *openaiapi.ToolCallChunk, at string) {
	s.report.loseUnknown(at, piece.Unknown, memberCustom)
	if piece.Type != nil && *piece.Type != "" {
		s.report.differs(at+"/type", string(*piece.Type), string(openaiapi.ToolTypeFunction))
	}
}

// reportRepeated reports an id or a name of a piece that is not that of its call.
func (s *Stream) reportRepeated(call *openCall, id, name, at string) {
	if call.id != "" && id != "" && id != call.id {
		s.report.add(transform.Approximated, at+"/id", "the first id of the call counts")
	}
	if call.name != "" && name != "" && name == call.name {
		s.report.add(transform.Approximated, at+"/function/name", "the call is named already")
	}
}

// signCall takes the thought signature of a piece.
func (s *Stream) signCall(call *openCall, piece *openaiapi.ToolCallChunk, carried, at string) {
	if carried != "" {
		call.signature = &carried
	}
	google := googleOf(piece.ExtraContent)
	if google.ThoughtSignature != nil {
		s.fromGemini = true
		call.signature, google.ThoughtSignature = google.ThoughtSignature, nil
	}
	s.report.loseGoogle(at, piece.ExtraContent, google)
}

// Details about arguments behind those that are complete.
const (
	detailReplaced = "they take the place of an empty object"
	detailRepeated = "the call has these arguments already"
)

// add adds what a piece says to a call. The detail is "" unless the arguments are not those that the call has behind them:
// some servers begin with an empty object, and vLLM's end with all arguments once more.
func (c *openCall) add(id, name, arguments string) (detail string) {
	if c.id == "" {
		c.id = id
	}
	if name != c.name { // some servers repeat it in every piece
		c.name += name
	}
	if c.isComplete() {
		switch piece := strings.Trim(arguments, jsonSpace); {
		case piece == "":
			return ""
		case piece == strings.Trim(string(c.arguments), jsonSpace):
			return detailRepeated
		case string(c.arguments) == "{}":
			c.arguments, c.scan, c.last = nil, objectScan{}, ""
			detail = detailReplaced
		}
	}
	if arguments != "" {
		c.isRepeated = c.last == "" || c.isRepeated && strings.HasPrefix(arguments, c.last)
		c.last = arguments
	}
	c.arguments = append(c.arguments, arguments...)
	c.scan.read(arguments)
	return detail
}

// all returns the arguments of a call. Those of a server that sends all that it has each time are the last ones.
func (c *openCall) all() string {
	text := string(c.arguments)
	if _, ok := argumentsOf(text); !ok && c.isRepeated && strings.HasPrefix(c.last, "{") {
		return c.last
	}
	return text
}

// of returns the call of an index and an ordinal, nil for none.
func (l *callList) of(index, ordinal int) *openCall {
	at, found := slices.BinarySearchFunc(l.open, openCall{index: index, ordinal: ordinal}, compareCalls)
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
	at, _ := slices.BinarySearchFunc(l.open, index+1, func(c openCall, index int) int { return cmp.Compare(c.index, index) })
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

// at returns the call that a piece belongs to: that of its index and id, else the last of its index, unless the piece
// begins another one. Servers that count no calls have them all at the index 0; then another id, or another name behind
// complete arguments, begins a call. Oracle's count the pieces; then those that name no function belong to the call before.
func (l *callList) at(index int, id string, said *openaiapi.FunctionCallChunk) *openCall {
	name := optional.Value(said.Name)
	call := l.last(index)
	switch latest := l.of(l.latest[0], l.latest[1]); {
	case call == nil && latest != nil && name == "" && optional.Value(said.Arguments) != "" && !latest.isComplete():
		return latest
	case call != nil:
		isOther := id != "" && call.id != "" && id != call.id
		if isOther && name == "" {
			if known := l.byID(index, id); known != nil {
				return known
			}
		}
		isNext := name != "" && call.name != "" && (id == "" || id != call.id) && call.isComplete()
		if !(isOther && name != "") && !isNext {
			return call
		}
	}
	ordinal := 0
	if call != nil {
		ordinal = call.ordinal + 1
	}
	l.begun++
	l.latest = [2]int{index, ordinal}
	begun := openCall{index: index, ordinal: ordinal}
	at, _ := slices.BinarySearchFunc(l.open, begun, compareCalls)
	l.open = slices.Insert(l.open, at, begun)
	return &l.open[at]
}

// sendBefore sends the calls before one that begins, as far as they are complete.
func (c *streamChoice) sendBefore(index, ordinal int, t *turn) {
	for len(c.calls.open) > 0 {
		first := &c.calls.open[0]
		if first.index == index && first.ordinal == ordinal || !first.isComplete() {
			return
		}
		c.sendCall(t)
	}
}

// sendCalls sends all calls that are left, at the end of their choice.
func (c *streamChoice) sendCalls(t *turn) {
	for len(c.calls.open) > 0 {
		c.sendCall(t)
	}
}

// sendCall sends the first call.
func (c *streamChoice) sendCall(t *turn) {
	call := &c.calls.open[0]
	if call.name == "" && len(call.arguments) == 0 && c.calls.begun > 1 { // A piece of another call had an index of its own.
		c.calls.open = c.calls.open[1:]
		return
	}
	signature := call.signature
	if signature == nil {
		signature = c.signatures.take(call.id)
	}
	arguments := call.all()
	if call.isCustom {
		arguments = inputArguments(string(call.arguments))
	} else if len(arguments) != len(call.arguments) {
		t.report.add(transform.Approximated, t.at+"/tool_calls", "each piece has all arguments so far; the last one counts")
	}
	called := calledFunction{id: call.id, name: call.name, arguments: arguments}
	t.addCall(called, geminiapi.Part{ThoughtSignature: signature})
	c.calls.sent.add(called)
	if t.malformed != "" {
		c.calls.malformed = t.malformed
	}
	c.calls.open = c.calls.open[1:]
}
