package normalize_test

import (
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/go-json-experiment/json/jsontext"
)

// FuzzStream checks arbitrary sequences of chunks. A stream never panics, and keeps the promises
// that checkEvents checks: nothing after the end, an end for every start, and arguments that join
// to JSON. It produces the same response as the whole answer, and encoding and decoding its events
// changes nothing.
func FuzzStream(f *testing.F) {
	f.Add([]byte("\x01\x05text\x00"))
	f.Add([]byte{})
	for i := range 64 {
		seed := make([]byte, 4*i)
		for j := range seed {
			seed[j] = byte(i*31 + j*j*7)
		}
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		d := dice(data)
		var s stream
		for len(d) > 0 && len(s.chunks) < 64 {
			s.chunks = append(s.chunks, d.chunk())
		}
		checkJSONForm(t, checkStream(t, s))
	})
}

// dice makes choices from bytes. After the last byte it always makes the first choice.
type dice []byte

func (d *dice) roll(n int) int {
	if len(*d) == 0 {
		return 0
	}
	b := (*d)[0]
	*d = (*d)[1:]
	return int(b) % n
}

func (d *dice) some() bool { return d.roll(2) == 1 }

func choose[T any](d *dice, of ...T) T { return of[d.roll(len(of))] }

// maybe returns one of the values or nil, all with the same probability.
func maybe[T any](d *dice, of ...T) *T {
	n := d.roll(len(of) + 1)
	if n == 0 {
		return nil
	}
	return &of[n-1]
}

func (d *dice) chunk() *geminiapi.GenerateContentResponse {
	if d.roll(16) == 15 {
		return nil
	}
	out := &geminiapi.GenerateContentResponse{
		ModelVersion: maybe(d, "m1", "m2", ""),
		ResponseID:   maybe(d, "r"),
	}
	for range d.roll(3) {
		out.Candidates = append(out.Candidates, d.candidate())
	}
	switch d.roll(24) {
	case 1:
		out.Unknown = jsontext.Value(`{"error":{"code":503,"message":"m","status":"UNAVAILABLE"}}`)
	case 2:
		out.PromptFeedback = &geminiapi.PromptFeedback{BlockReason: maybe[geminiapi.BlockReason](d,
			"SAFETY")}
	case 3, 4, 5, 6, 7, 8:
		out.UsageMetadata = &geminiapi.UsageMetadata{
			PromptTokenCount: maybe(d, 0, 7), CandidatesTokenCount: maybe(d, 3),
			TotalTokenCount: maybe(d, 10),
			TrafficType:     maybe[geminiapi.TrafficType](d, "ON_DEMAND"),
			Unknown:         choose[jsontext.Value](d, nil, jsontext.Value(`{"u":1}`)),
		}
	case 9:
		out.Unknown = choose(d, jsontext.Value(`{"a":1}`),
			jsontext.Value(`{"a":2,"thoughtSignature":"s"}`))
	}
	return out
}

func (d *dice) candidate() geminiapi.Candidate {
	out := geminiapi.Candidate{
		Index: maybe(d, 0, 1, 2, -1),
		FinishReason: maybe[geminiapi.FinishReason](d, "STOP", "MAX_TOKENS",
			"FINISH_REASON_UNSPECIFIED", ""),
		FinishMessage: maybe(d, "m"),
	}
	if d.roll(4) > 0 {
		out.Content = &geminiapi.Content{Role: maybe(d, "model", "")}
		for range d.roll(5) {
			out.Content.Parts = append(out.Content.Parts, d.part())
		}
	}
	switch d.roll(10) {
	case 1:
		out.GroundingMetadata = &geminiapi.GroundingMetadata{WebSearchQueries: []string{choose(d,
			"p", "q")}}
		for range d.roll(3) {
			out.GroundingMetadata.GroundingChunks = append(out.GroundingMetadata.GroundingChunks,
				geminiapi.GroundingChunk{Web: &geminiapi.GroundingChunkWeb{URI: maybe(d, "a",
					"b")}})
			out.GroundingMetadata.GroundingSupports = append(
				out.GroundingMetadata.GroundingSupports, geminiapi.GroundingSupport{
					GroundingChunkIndices: []int{d.roll(4)},
					Segment: &geminiapi.Segment{StartIndex: maybe(d, 1),
						EndIndex: maybe(d, 2, 9), PartIndex: maybe(d, 1)},
				})
		}
	case 2:
		out.CitationMetadata = &geminiapi.CitationMetadata{Citations: []geminiapi.CitationSource{{EndIndex: maybe(d,
			1, 5),
			URI: maybe(d, "a", "b")}}}
	case 3:
		out.URLContextMetadata = &geminiapi.URLContextMetadata{URLMetadata: []geminiapi.URLMetadata{{RetrievedURL: maybe(d,
			"a", "b")}}}
	case 4:
		out.AvgLogprobs, out.LogprobsResult = maybe(d, -0.5), &geminiapi.LogprobsResult{
			ChosenCandidates: make([]geminiapi.LogprobsResultCandidate, d.roll(3)),
			TopCandidates:    make([]geminiapi.TopCandidates, d.roll(3)),
		}
	case 5:
		out.SafetyRatings = []geminiapi.SafetyRating{{Blocked: maybe(d, true, false)}}
	case 6:
		out.TokenCount, out.Unknown = maybe(d, 1),
			choose(d, jsontext.Value(`{"x":1}`), jsontext.Value(`{"y":1,"thoughtSignature":"t"}`))
	}
	return out
}

func (d *dice) part() geminiapi.Part {
	out := geminiapi.Part{}
	switch d.roll(8) {
	case 0, 1:
		out.Text = maybe(d, "a", "潮", "", "b c")
	case 2:
		out.Text, out.Thought = maybe(d, "a", ""), maybe(d, true, false)
	case 3, 4, 5:
		out.FunctionCall = d.call()
	case 6:
		out.InlineData = &geminiapi.Blob{Data: maybe(d, "AA==")}
	}
	switch d.roll(12) {
	case 1, 2:
		out.ThoughtSignature = maybe(d, "s", "")
	case 3:
		out.Thought = maybe(d, true)
	case 4:
		out.Unknown = choose(d, jsontext.Value(`{"x":1}`), jsontext.Value(`{"y":2}`))
	case 5:
		out.PartMetadata = choose(d, jsontext.Value(`{"x":1}`), jsontext.Value(`null`))
	}
	return out
}

func (d *dice) call() *geminiapi.FunctionCall {
	out := &geminiapi.FunctionCall{
		Name: maybe(d, "f", "g", "h"), ID: maybe(d, "c1"),
		WillContinue: maybe(d, true, true, true, false),
		Args: choose[jsontext.Value](d, nil, nil, jsontext.Value(`{"a": 1, "b": [2]}`),
			jsontext.Value(`[1]`), jsontext.Value(`null`)),
	}
	for range d.roll(4) {
		out.PartialArgs = append(out.PartialArgs, d.partialArg())
	}
	return out
}

func (d *dice) partialArg() geminiapi.PartialArg {
	path := "$"
	for range d.roll(4) {
		path += choose(d, ".a", ".b", "[0]", "[1]", "['c d']")
	}
	path += choose(d, "", "", "", "[]", "[")
	out := geminiapi.PartialArg{JSONPath: &path, WillContinue: maybe(d, true, false)}
	switch d.roll(8) {
	case 0, 1, 2:
		out.StringValue = maybe(d, "x", "", "\"\\\u2028")
	case 3:
		out.NumberValue = maybe(d, 1.5, -2, 1e300)
	case 4:
		out.BoolValue = maybe(d, true)
	case 5:
		out.NullValue = maybe(d, geminiapi.NullValueNull)
	case 6:
		out.Unknown = jsontext.Value(`{"new":1}`)
	}
	return out
}

// FuzzPartialArgs checks that the joined arguments of a call in pieces equal the arguments before
// cutting, for any cuts.
func FuzzPartialArgs(f *testing.F) {
	for _, object := range []string{
		`{}`, `{"a":1}`, `{"location":"New York","unit":"C"}`,
		`{"a":{"b":[{"c":[]},{"c":{}}],"d":[[1,2],[3]]},"e":null,"f":true}`,
		`{"":"","a.b":{"it's":"\"\\","潮":"😀"},"[0]":[{"x":"y"}]}`,
		`{"n":[-0.5,1e300,12345678901,0]}`, `{"a":[[],[[]],{}],"b":{"c":{"d":{}}}}`,
	} {
		f.Add(object, []byte(nil))
		f.Add(object, []byte("\x01\x02\x03\x00\x01\x01\x02\x05\x01\x00\x03\x01\x02\x01\x01\x01"))
	}
	f.Fuzz(func(t *testing.T, object string, cuts []byte) {
		want := jsontext.Value(object).Clone()
		if want.Kind() != jsontext.KindBeginObject || !want.IsValid() {
			t.Skip("not an object")
		}
		c := &cutter{dice: cuts}
		c.object(t, "$", jsontext.NewDecoder(strings.NewReader(object)))
		if c.depth > 500 || c.inexact {
			t.Skip("not what is promised")
		}
		events := checkStream(t, stream{chunks: c.chunks()})
		done := events[len(events)-3]
		if done.Type != normalize.EventToolCallDone || done.Extra != nil {
			t.Fatalf("got %s", lines(t, events))
		}
		got := done.Arguments.Clone()
		if err := want.Canonicalize(); err != nil {
			t.Fatal(err)
		}
		if err := got.Canonicalize(); err != nil {
			t.Fatal(err)
		}
		if string(got) != string(want) {
			t.Errorf("got %s, want %s", got, want)
		}
	})
}

// cutter cuts arguments into pieces like Vertex AI. The dice choose the positions.
type cutter struct {
	dice    dice
	entries []geminiapi.PartialArg
	depth   int
	inexact bool // the wire cannot carry a number exactly
}

func (c *cutter) object(t testing.TB, path string, dec *jsontext.Decoder) {
	c.depth = max(c.depth, dec.StackDepth())
	mustRead(t, dec)
	if dec.PeekKind() == jsontext.KindEndObject && path != "$" || c.dice.roll(8) == 1 {
		c.add(path, geminiapi.PartialArg{}) // also announces an object that is not empty
	}
	for dec.PeekKind() != jsontext.KindEndObject {
		name := mustRead(t, dec).String()
		c.value(t, path+c.step(name), dec)
	}
	mustRead(t, dec)
}

func (c *cutter) array(t testing.TB, path string, dec *jsontext.Decoder) {
	mustRead(t, dec)
	if dec.PeekKind() == jsontext.KindEndArray || c.dice.roll(8) == 1 {
		c.add(path+"[]", geminiapi.PartialArg{})
	}
	for i := 0; dec.PeekKind() != jsontext.KindEndArray; i++ {
		c.value(t, path+"["+strconv.Itoa(i)+"]", dec)
	}
	mustRead(t, dec)
	if c.dice.some() {
		c.add(path+"[]", geminiapi.PartialArg{})
	}
}

func (c *cutter) value(t testing.TB, path string, dec *jsontext.Decoder) {
	c.depth = max(c.depth, dec.StackDepth())
	switch dec.PeekKind() {
	case jsontext.KindBeginObject:
		c.object(t, path, dec)
	case jsontext.KindBeginArray:
		c.array(t, path, dec)
	case jsontext.KindString:
		c.text(path, mustRead(t, dec).String())
	case jsontext.KindNumber:
		number, err := strconv.ParseFloat(mustRead(t, dec).String(), 64)
		c.inexact = c.inexact || err != nil
		c.add(path, geminiapi.PartialArg{NumberValue: &number})
	case jsontext.KindNull:
		mustRead(t, dec)
		c.add(path, geminiapi.PartialArg{NullValue: new(geminiapi.NullValueNull)})
	default:
		value := mustRead(t, dec).Bool()
		c.add(path, geminiapi.PartialArg{BoolValue: &value})
	}
}

// text cuts a string between characters.
func (c *cutter) text(path, text string) {
	for text != "" && c.dice.some() {
		n := c.dice.roll(len(text) + 1)
		for n < len(text) && !utf8.RuneStart(text[n]) {
			n++
		}
		piece := text[:n]
		text = text[n:]
		c.add(path, geminiapi.PartialArg{StringValue: &piece, WillContinue: new(true)})
	}
	c.add(path, geminiapi.PartialArg{StringValue: &text})
}

// step writes a name in one of the forms that a path allows.
func (c *cutter) step(name string) string {
	if name != "" && !strings.ContainsAny(name, ".[") && c.dice.some() {
		return "." + name
	}
	literal, _ := jsontext.AppendQuote(nil, name)
	if c.dice.some() {
		return "[" + string(literal) + "]"
	}
	inner := strings.ReplaceAll(string(literal[1:len(literal)-1]), `\"`, `"`)
	return "['" + strings.ReplaceAll(inner, "'", `\'`) + "']"
}

func (c *cutter) add(path string, entry geminiapi.PartialArg) {
	entry.JSONPath = &path
	c.entries = append(c.entries, entry)
}

// chunks makes a stream of the pieces, several in some chunks.
func (c *cutter) chunks() []*geminiapi.GenerateContentResponse {
	calls := []*geminiapi.FunctionCall{{Name: new("f"), WillContinue: new(true)}}
	for _, entry := range c.entries {
		if c.dice.some() {
			calls = append(calls, &geminiapi.FunctionCall{WillContinue: new(true)})
		}
		last := calls[len(calls)-1]
		last.PartialArgs = append(last.PartialArgs, entry)
	}
	calls = append(calls, &geminiapi.FunctionCall{})
	var out []*geminiapi.GenerateContentResponse
	for _, call := range calls {
		out = append(out, &geminiapi.GenerateContentResponse{Candidates: []geminiapi.Candidate{{
			Content: &geminiapi.Content{Parts: []geminiapi.Part{{FunctionCall: call}}},
		}}})
	}
	out[len(out)-1].Candidates[0].FinishReason = new(geminiapi.FinishReasonStop)
	return out
}

func mustRead(t testing.TB, dec *jsontext.Decoder) jsontext.Token {
	t.Helper()
	token, err := dec.ReadToken()
	if err != nil {
		t.Fatal(err)
	}
	return token.Clone()
}
