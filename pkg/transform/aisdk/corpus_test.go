package aisdk_test

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/aisdkapi"
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/test/corpustest"
	aisdkwire "github.com/gemwire/gemwire/pkg/aisdk"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/aisdk"
	"github.com/gemwire/gemwire/pkg/wire"
	"github.com/go-json-experiment/json/jsontext"
	gocmp "github.com/google/go-cmp/cmp"
)

// recordedStream is a recording as a reader returns it.
type recordedStream struct {
	chunks []*geminiapi.GenerateContentResponse
	err    error
}

func readRecorded(body []byte) recordedStream {
	var out recordedStream
	for chunk, err := range gemini.NewStreamReader(bytes.NewReader(body)).All() {
		if err != nil {
			out.err = err
			break
		}
		out.chunks = append(out.chunks, chunk)
	}
	return out
}

// all returns what the reader returned.
func (s recordedStream) all() iter.Seq2[*geminiapi.GenerateContentResponse, error] {
	return func(yield func(*geminiapi.GenerateContentResponse, error) bool) {
		for _, chunk := range s.chunks {
			if !yield(chunk, nil) {
				return
			}
		}
		if s.err != nil {
			yield(nil, s.err)
		}
	}
}

func forEveryRecordedStream(t *testing.T, check func(*testing.T, recordedStream)) {
	checked := 0
	for _, payload := range corpustest.Payloads(t, corpustest.Stream) {
		checked++
		t.Run(payload.Name, func(t *testing.T) {
			t.Parallel()
			check(t, readRecorded(payload.Read(t)))
		})
	}
	if checked < corpustest.AtLeast(610) {
		t.Errorf("only %d recorded streams", checked)
	}
}

// versions are the two forms of the output.
var versions = map[string][]aisdk.Option{"V3": nil, "V4": {aisdk.ForV4()}}

func TestEveryRecordedStreamIsWellFormedAndComplete(t *testing.T) {
	t.Parallel()
	forEveryRecordedStream(t, func(t *testing.T, s recordedStream) {
		for version, opts := range versions {
			parts, report, err := mapRecorded(s, opts...)
			v4 := version == "V4"
			checkGrammar(t, parts, v4)
			checkEnd(t, parts, err, v4)
			checkContent(t, s, parts)
			checkReport(t, s, report)
			if lost := lostOfFirst(s, report); lost != nil && err == nil {
				t.Errorf("%s: %v", version, lost)
			}
		}
	})
}

// mapRecorded maps a stream with reproducible ids.
func mapRecorded(s recordedStream, opts ...aisdk.Option) ([]aisdkapi.Part, report.Report, error) {
	stream := aisdk.NewStream(append(opts, sameIDs()...)...)
	var out []aisdkapi.Part
	for part, err := range stream.Parts(s.all()) {
		if err != nil {
			return out, stream.Report(), err
		}
		out = append(out, part)
	}
	return out, stream.Report(), nil
}

// sameIDs makes ids that depend only on positions.
func sameIDs() []aisdk.Option {
	sources := 0
	return []aisdk.Option{
		aisdk.WithToolCallIDs(callIDAt),
		aisdk.WithSourceIDs(func() string { sources++; return fmt.Sprintf("source-%d", sources) }),
	}
}

func callIDAt(_ string, candidate, part int) string {
	return fmt.Sprintf("call-%d-%d", candidate, part)
}

// checkEnd checks the last parts: an error part precedes the finish exactly if the stream failed.
func checkEnd(t testing.TB, parts []aisdkapi.Part, err error, v4 bool) {
	t.Helper()
	finish, _ := parts[len(parts)-1].(aisdkapi.Finish)
	failures := 0
	for i, part := range parts {
		if part.PartType() == aisdkapi.PartTypeError {
			failures++
			if i != len(parts)-2 {
				t.Errorf("part %d of %d is an error", i, len(parts))
			}
		}
	}
	want := aisdkapi.UnifiedFinishReasonError
	if v4 && errors.Is(err, wire.ErrTruncated) {
		want = aisdkapi.UnifiedFinishReasonInterrupted
	}
	switch {
	case err == nil && failures != 0, err != nil && failures != 1:
		t.Errorf("%d error parts, and the error %v", failures, err)
	case err != nil && finish.FinishReason.Unified != want:
		t.Errorf("the stream failed (%v), and finished by %q", err, finish.FinishReason.Unified)
	}
}

// checkContent compares text, reasoning, calls, files, usage and finish with the response that the
// chunks make together.
func checkContent(t testing.TB, s recordedStream, parts []aisdkapi.Part) {
	t.Helper()
	merged, _ := normalize.MergeChunks(s.chunks...)
	if merged.PromptFeedback != nil {
		// a refusal does not change earlier content
		merged.PromptFeedback = &geminiapi.PromptFeedback{}
	}
	whole, err := normalize.FromResponse(merged, normalize.WithToolCallIDs(callIDAt))
	if err != nil {
		return // a chunk that ends the stream: what came before it is not in the merged response
	}
	if diff := gocmp.Diff(contentOf(whole), contentOfParts(parts)); diff != "" {
		t.Errorf("(-accumulated +parts):\n%s", diff)
	}
}

// content is the content that both forms of an answer have.
type content struct {
	Text, Reasoning string
	Calls, Results  []string
	Files           []string
	Signatures      []string
	CutOff          []string // signatures of calls that are cut off
	Usage           normalize.Usage
}

func contentOf(r *normalize.Response) content {
	var out content
	out.Usage = r.Usage
	out.Usage.Wire, out.Usage.TotalTokens, out.Usage.ToolUseTokens = nil, 0, 0
	if len(r.Candidates) == 0 || r.Candidates[0].Index != 0 {
		return out
	}
	c := &r.Candidates[0]
	out.Text, out.Reasoning = c.Text(), c.Thinking()
	for i := range c.Blocks {
		b := &c.Blocks[i]
		isCutOff := b.ToolCall != nil && b.Extra != nil && b.Extra.FunctionCall != nil &&
			b.Extra.FunctionCall.WillContinue != nil
		switch {
		case b.ToolCall != nil && !isCutOff:
			out.Calls = append(out.Calls,
				b.ToolCall.ID+" "+b.ToolCall.Name+" "+string(b.ToolCall.Arguments))
		case b.CodeResult != nil:
			out.Results = append(out.Results, b.CodeResult.Output)
		case b.Media != nil:
			out.Files = append(out.Files,
				cmp.Or(b.Media.MIMEType, "application/octet-stream")+" "+b.Media.Data)
		}
		switch {
		case b.Signature == "":
		case isCutOff:
			out.CutOff = append(out.CutOff, b.Signature)
		default:
			out.Signatures = append(out.Signatures, b.Signature)
		}
	}
	return out
}

func contentOfParts(parts []aisdkapi.Part) content {
	var out content
	inputs := map[string]string{}
	for _, part := range parts {
		switch p := part.(type) {
		case aisdkapi.TextDelta:
			out.Text += p.Delta
			out.sign(p.ProviderMetadata)
		case aisdkapi.ReasoningDelta:
			out.Reasoning += p.Delta
			out.sign(p.ProviderMetadata)
		case aisdkapi.ToolInputStart:
			inputs[p.ID] = ""
		case aisdkapi.ToolInputDelta:
			inputs[p.ID] += p.Delta
		case aisdkapi.ToolInputEnd:
			if signature := signatureIn(p.ProviderMetadata); signature != "" {
				out.CutOff = append(out.CutOff, signature)
			}
		case aisdkapi.ToolCall:
			out.sign(p.ProviderMetadata)
			if input, isFunction := inputs[p.ToolCallID]; isFunction {
				id := cmp.Or(memberText(p.ProviderMetadata["google"], "toolCallId"), p.ToolCallID)
				out.Calls = append(out.Calls, id+" "+p.ToolName+" "+input)
			}
		case aisdkapi.ToolResult:
			out.sign(p.ProviderMetadata)
			if p.ToolName == "code_execution" {
				out.Results = append(out.Results, memberText(p.Result, "output"))
			}
		case aisdkapi.URLSource:
			out.sign(p.ProviderMetadata) // a file by its address
		case aisdkapi.DocumentSource:
			out.sign(p.ProviderMetadata)
		case aisdkapi.File:
			out.file(p)
		case aisdkapi.ReasoningFile:
			out.file(aisdkapi.File(p))
		case aisdkapi.Finish:
			out.Usage = normalize.Usage{
				InputTokens:    deref(p.Usage.InputTokens.Total),
				OutputTokens:   deref(p.Usage.OutputTokens.Text),
				ThinkingTokens: deref(p.Usage.OutputTokens.Reasoning),
				CachedTokens:   deref(p.Usage.InputTokens.CacheRead),
			}
		}
	}
	return out
}

func (c *content) file(f aisdkapi.File) {
	c.sign(f.ProviderMetadata)
	if f.Data.URL == "" {
		c.Files = append(c.Files, f.MediaType+" "+f.Data.Base64)
	}
}

func (c *content) sign(m aisdkapi.ProviderMetadata) {
	if signature := signatureIn(m); signature != "" {
		c.Signatures = append(c.Signatures, signature)
	}
}

func signatureIn(m aisdkapi.ProviderMetadata) string {
	return memberText(m["google"], "thoughtSignature")
}

// memberText returns a text member of an object, or "".
func memberText(object jsontext.Value, name string) string {
	var out string
	walkValues(object, func(pointer jsontext.Pointer, value jsontext.Value) {
		if pointer == jsontext.Pointer("").AppendToken(name) && value.Kind() == '"' {
			text, _ := jsontext.AppendUnquote(nil, value)
			out = string(text)
		}
	})
	return out
}

// walkValues returns the scalars of a value with their pointers, and the pointers of lists and
// objects.
func walkValues(value jsontext.Value, visit func(jsontext.Pointer, jsontext.Value)) {
	dec := jsontext.NewDecoder(bytes.NewReader(value), jsontext.AllowDuplicateNames(true),
		jsontext.AllowInvalidUTF8(true))
	for {
		switch dec.PeekKind() {
		case '{', '[':
			_, _ = dec.ReadToken()
			visit(dec.StackPointer(), nil)
		case '}', ']':
			_, _ = dec.ReadToken()
		case 0:
			return
		default:
			kind, n := dec.StackIndex(dec.StackDepth())
			isName := kind == '{' && n%2 == 0
			v, err := dec.ReadValue()
			if err != nil {
				return
			}
			if !isName {
				visit(dec.StackPointer(), v)
			}
		}
	}
}

func deref[T any](p *T) T {
	if p == nil {
		var zero T
		return zero
	}
	return *p
}

// checkReport checks that pointers refer to existing values, or for added values to missing ones.
func checkReport(t testing.TB, s recordedStream, entries report.Report) {
	t.Helper()
	pointers := map[string]bool{}
	walkValues(encodeChunks(t, s.chunks),
		func(at jsontext.Pointer, _ jsontext.Value) { pointers[string(at)] = true })
	for _, e := range entries {
		if e.Kind != report.Added && !pointers[e.Pointer] {
			t.Errorf("the stream has no %s: %s", e.Pointer, e)
		}
	}
}

// encodeChunks encodes a stream as a list of its chunks.
func encodeChunks(t testing.TB, chunks []*geminiapi.GenerateContentResponse) []byte {
	t.Helper()
	elements := make([][]byte, len(chunks))
	for i, chunk := range chunks {
		var err error
		if elements[i], err = gemini.EncodeResponse(chunk); err != nil {
			t.Fatal(err)
		}
	}
	return slices.Concat([]byte("["), bytes.Join(elements, []byte(",")), []byte("]"))
}

// lostOfFirst returns the losses, except other candidates.
func lostOfFirst(s recordedStream, entries report.Report) (out report.Report) {
	for _, e := range entries.Of(report.Lost) {
		if !strings.Contains(e.Detail, "first candidate") {
			out = append(out, e)
		}
	}
	return out
}

// checkGrammar checks the guarantees of [aisdk.Stream] about the order of parts.
func checkGrammar(t testing.TB, parts []aisdkapi.Part, v4 bool) {
	t.Helper()
	g := grammar{blocks: map[string]bool{}, inputs: map[string]string{},
		calls: map[string]aisdkapi.ToolCall{}, results: map[string]bool{}}
	for i, part := range parts {
		if problem := g.next(i, len(parts), part); problem != "" {
			t.Fatalf("part %d, %s: %s", i, part.PartType(), problem)
		}
		checkEncodes(t, part, v4)
	}
	if len(parts) == 0 || parts[len(parts)-1].PartType() != aisdkapi.PartTypeFinish {
		t.Fatal("the last part is no finish")
	}
}

func checkEncodes(t testing.TB, part aisdkapi.Part, v4 bool) {
	t.Helper()
	var opts []aisdkwire.EncodeOption
	if v4 {
		opts = append(opts, aisdkwire.ForV4())
	}
	line, err := aisdkwire.EncodePart(part, opts...)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := aisdkwire.DecodePart(line); err != nil {
		t.Fatalf("%.300s: %v", line, err)
	}
}

// grammar is the state of a parser of parts.
type grammar struct {
	open     string // text or reasoning block
	isText   bool
	hasText  bool
	signed   bool
	complete bool   // its text is signed
	input    string // id of the call whose input is open
	blocks   map[string]bool
	inputs   map[string]string // joined deltas by the id of the call
	calls    map[string]aisdkapi.ToolCall
	results  map[string]bool
	metadata aisdkapi.ResponseMetadata
}

func (g *grammar) next(i, n int, part aisdkapi.Part) string {
	if _, isStart := part.(aisdkapi.StreamStart); isStart != (i == 0) {
		return "stream-start is not the first part, or comes again"
	}
	switch p := part.(type) {
	case aisdkapi.TextStart:
		return g.start(p.ID, true)
	case aisdkapi.ReasoningStart:
		return g.start(p.ID, false)
	case aisdkapi.TextDelta:
		return g.delta(p.ID, true, p.Delta, p.ProviderMetadata)
	case aisdkapi.ReasoningDelta:
		return g.delta(p.ID, false, p.Delta, p.ProviderMetadata)
	case aisdkapi.TextEnd:
		return g.end(p.ID, true)
	case aisdkapi.ReasoningEnd:
		return g.end(p.ID, false)
	case aisdkapi.ResponseMetadata:
		return g.identify(p)
	case aisdkapi.Source, aisdkapi.RawPart, aisdkapi.StreamStart:
		return ""
	case aisdkapi.ToolInputStart:
		_, known := g.inputs[p.ID]
		_, called := g.calls[p.ID]
		g.inputs[p.ID] = ""
		return cmp.Or(g.outside(), problemIf(p.ID == "" || p.ToolName == "", "no id or name"),
			problemIf(known || called, "the id comes again"), g.setInput(p.ID))
	case aisdkapi.ToolInputDelta:
		g.inputs[p.ID] += p.Delta
		return problemIf(p.ID != g.input, "the input of the call is not open")
	case aisdkapi.ToolInputEnd:
		return cmp.Or(problemIf(p.ID != g.input, "the input of the call is not open"),
			g.setInput(""))
	case aisdkapi.ToolCall:
		return cmp.Or(g.outside(), g.call(p))
	case aisdkapi.ToolResult:
		_, called := g.calls[p.ToolCallID]
		g.results[p.ToolCallID] = true
		return cmp.Or(g.outside(), problemIf(!called, "a result without a call"),
			problemIf(p.ToolName == "", "no name"))
	case aisdkapi.Finish:
		return cmp.Or(g.outside(), problemIf(i != n-1, "it is not the last part"),
			g.finish(p.FinishReason.Unified))
	default:
		return g.outside()
	}
}

func (g *grammar) start(id string, isText bool) string {
	problem := cmp.Or(g.outside(), problemIf(g.blocks[id], "the id comes again"),
		problemIf(id != fmt.Sprint(len(g.blocks)), "the ids do not count up"))
	g.open, g.isText, g.hasText, g.signed, g.complete, g.blocks[id] = id, isText, false, false,
		false, true
	return problem
}

func (g *grammar) delta(id string, isText bool, delta string, m aisdkapi.ProviderMetadata) string {
	isSigned := signatureIn(m) != ""
	problem := cmp.Or(
		problemIf(id != g.open || isText != g.isText, "the block is not open"),
		problemIf(isSigned && g.signed, "the block is signed twice"),
		problemIf(isSigned && g.hasText && delta != "", "a signed text continues another"),
		problemIf(g.complete, "a signed text continues"),
	)
	g.signed, g.hasText = g.signed || isSigned, g.hasText || delta != ""
	g.complete = isSigned && g.hasText
	return problem
}

// identify checks that each part has new information about the response.
func (g *grammar) identify(p aisdkapi.ResponseMetadata) string {
	again := p.ID != "" && g.metadata.ID != "" || p.ModelID != "" && g.metadata.ModelID != "" ||
		!p.Timestamp.IsZero() && !g.metadata.Timestamp.IsZero()
	g.metadata.ID, g.metadata.ModelID = cmp.Or(p.ID, g.metadata.ID),
		cmp.Or(p.ModelID, g.metadata.ModelID)
	if !p.Timestamp.IsZero() {
		g.metadata.Timestamp = p.Timestamp
	}
	return cmp.Or(problemIf(p == aisdkapi.ResponseMetadata{}, "it reports nothing"),
		problemIf(again, "it reports something again"))
}

// finish checks that the reason fits the calls that the client must run.
func (g *grammar) finish(reason aisdkapi.UnifiedFinishReason) string {
	open := false
	for id, call := range g.calls {
		open = open || call.ProviderExecuted == nil && !g.results[id]
	}
	return cmp.Or(
		problemIf(reason == aisdkapi.UnifiedFinishReasonStop && open,
			"calls of the client are left"),
		problemIf(reason == aisdkapi.UnifiedFinishReasonToolCalls && !open,
			"no call of the client is left"),
	)
}

func (g *grammar) end(id string, isText bool) string {
	problem := problemIf(id != g.open || isText != g.isText, "the block is not open")
	g.open = ""
	return problem
}

// outside reports an open block or input where none is allowed.
func (g *grammar) outside() string {
	return cmp.Or(problemIf(g.open != "", "a block is open"),
		problemIf(g.input != "", "an input is open"))
}

func (g *grammar) setInput(id string) string {
	g.input = id
	return ""
}

func (g *grammar) call(p aisdkapi.ToolCall) string {
	_, again := g.calls[p.ToolCallID]
	g.calls[p.ToolCallID] = p
	input, isFunction := g.inputs[p.ToolCallID]
	return cmp.Or(
		problemIf(again, "the id comes again"),
		problemIf(p.ProviderExecuted == nil && !isFunction, "the call has no input"),
		problemIf(isFunction && p.Input != input, "the deltas do not make the input"),
		problemIf(p.ProviderExecuted != nil && p.Dynamic == nil,
			"the provider's call is not dynamic"),
		problemIf(jsontext.Value(p.Input).Kind() != '{' ||
			!jsontext.Value(p.Input).IsValid(jsontext.AllowDuplicateNames(true),
				jsontext.AllowInvalidUTF8(true)), "the input is no JSON object"),
		problemIf(p.ToolCallID == "" || p.ToolName == "", "no id or name"),
	)
}

func problemIf(is bool, problem string) string {
	if is {
		return problem
	}
	return ""
}
