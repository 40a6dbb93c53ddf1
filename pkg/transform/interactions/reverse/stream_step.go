package reverse

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/internal/merge"
	"github.com/gemwire/gemwire/pkg/interactions"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/unshown"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// openStep is a step that has started and whose parts are not complete.
//
//	          first in the queue                         step.stop
//	waiting ────────────────────► passed on, if content ──────────► finished
//	                              collected, if a tool
type openStep struct {
	index int
	kind  interactionsapi.StepType
	start *interactionsapi.Step
	// all collects the step, and has what ToGemini would get.
	all  interactions.Accumulator
	at   int          // the event that started the step, from 0
	held []heldEvent  // while steps before it are open
	last bool         // the step has stopped, and waits for the steps before it
	seen []deltaEvent // of a tool, for the report

	begun bool    // a piece was passed on
	texts []block // the texts that were passed on
	// inText is true if the next piece of a text belongs to the last text.
	inText    bool
	cited     []citing
	signature signed

	// sentText counts the bytes of texts that were passed on, and sentMedia the media. skipText and
	// skipMedia are what a replay repeats of them.
	sentText, sentMedia, skipText, skipMedia int
	places                                   []block // of the texts before a replay
}

// heldEvent is an event of a step that waits.
type heldEvent struct {
	event *interactionsapi.StreamEvent
	at    int
}

// deltaEvent is an event with a piece of a tool's step.
type deltaEvent struct {
	delta *interactionsapi.StepDelta
	at    int
}

// block is the place of a text in the answer that clients join. part is -1 before its first byte.
type block struct{ part, base int }

// citing is an event with annotations.
type citing struct{ at, count int }

// signed is the last signature of a thought, and its event.
type signed struct {
	value string
	at    int
}

// isContent reports whether the pieces of a step are passed on at once.
func (o *openStep) isContent() bool {
	return o.kind == interactionsapi.StepTypeModelOutput || o.isThought()
}

func (o *openStep) isThought() bool { return o.kind == interactionsapi.StepTypeThought }

// start opens a step.
func (s *Stream) start(e *interactionsapi.StreamEvent) {
	at := s.pushed - 1
	if e.Step == nil || e.Index == nil || s.find(*e.Index) != nil {
		s.entries.Add(report.Lost, eventPointer(at), "a step needs an index of its own")
		return
	}
	if s.replay.skips(s, *e.Index) {
		s.repeated(at)
		return
	}
	o := s.replay.resume(s)
	if o == nil {
		o = &openStep{}
		s.queue = append(s.queue, o)
	}
	o.index, o.kind, o.start, o.at = *e.Index, e.Step.Type, e.Step, at
	_ = o.all.Push(e) // a new accumulator takes every start
	if o == s.queue[0] {
		s.passStart(o)
	}
}

// find returns the open step with an index, or nil.
func (s *Stream) find(index int) *openStep {
	for _, o := range s.queue {
		if o.index == index && !o.last {
			return o
		}
	}
	return nil
}

// passStart passes on the content that a step starts with.
func (s *Stream) passStart(o *openStep) {
	if !o.isContent() {
		return
	}
	content := o.start.Summary
	name := "/step/summary"
	if o.kind == interactionsapi.StepTypeModelOutput {
		content, name = interactions.ContentOf(o.start), "/step/content"
	}
	for i := range content {
		o.inText = false
		below := name
		if _, isText := o.start.Content.AsString(); !isText {
			below += "/" + strconv.Itoa(i)
		}
		s.piece(o, &content[i], source{o.at, below})
		if content[i].Annotations != nil && o.isThought() &&
			content[i].Type == interactionsapi.ContentTypeText {
			s.entries.Add(report.Lost, eventPointer(o.at)+below+"/annotations",
				detailNoCounterpart)
		}
	}
	if o.isThought() {
		o.signature = signed{jsonx.Deref(o.start.Signature), o.at}
	}
}

// delta takes a piece of a step.
func (s *Stream) delta(e *interactionsapi.StreamEvent) {
	at := s.pushed - 1
	o := s.find(jsonx.Deref(e.Index))
	switch {
	case e.Index != nil && s.replay.isSkipped(*e.Index):
		s.repeated(at)
	case o == nil || e.Delta == nil:
		s.entries.Add(report.Lost, eventPointer(at), detailNotOpen)
	case o == s.queue[0]:
		s.pass(o, e, at)
	default:
		o.held = append(o.held, heldEvent{e, at})
	}
}

// stop ends a step.
func (s *Stream) stop(e *interactionsapi.StreamEvent) {
	at := s.pushed - 1
	o := s.find(jsonx.Deref(e.Index))
	switch {
	case e.Index != nil && s.replay.stops(*e.Index):
		s.repeated(at)
	case o == nil:
		s.entries.Add(report.Approximated, eventPointer(at)+"/index", detailNotOpen)
	case o == s.queue[0]:
		s.finish(o)
	default:
		o.last = true
	}
}

// pass takes a delta of the first step in the queue.
func (s *Stream) pass(o *openStep, e *interactionsapi.StreamEvent, at int) {
	_ = o.all.Push(e) // the step is open
	d := e.Delta
	kind := interactions.DeltaType(d, o.kind)
	if !o.isContent() {
		s.collect(o, d, kind, at)
		return
	}
	left := *d
	left.Type = ""
	switch kind {
	case interactionsapi.DeltaTypeText:
		if left.Text = nil; left.IsEmpty() && !o.isThought() { // as nearly always
			s.text(o, d.Text)
			return
		}
		left.Text, left.Unknown = nil, nil
		s.piece(o, &interactionsapi.Content{Type: interactionsapi.ContentTypeText, Text: d.Text,
			Unknown: d.Unknown}, source{at, "/delta"})
	case interactionsapi.DeltaTypeThoughtSummary:
		if left.Content == nil {
			left.Text = nil
		}
		left.Content = nil
		s.summary(o, d, at)
	case interactionsapi.DeltaTypeImage, interactionsapi.DeltaTypeAudio,
		interactionsapi.DeltaTypeVideo, interactionsapi.DeltaTypeDocument:
		content := interactions.MediaContent(d)
		left = interactionsapi.StepDelta{}
		if d.Rate != nil && d.SampleRate != nil && *d.Rate != *d.SampleRate {
			left.Rate = d.Rate
		}
		s.piece(o, &content, source{at, "/delta"})
	case interactionsapi.DeltaTypeThoughtSignature:
		left.Signature = nil
		s.sign(o, jsonx.Deref(d.Signature), at)
	case interactionsapi.DeltaTypeTextAnnotationDelta, interactionsapi.DeltaTypeTextAnnotation:
	default:
		left.Type = d.Type
	}
	if d.Annotations != nil && o.kind == interactionsapi.StepTypeModelOutput && kind != "" {
		o.cited = append(o.cited, citing{at, len(d.Annotations)})
		left.Annotations = nil
	}
	if d.Type != "" && !belongs(d.Type, o.kind) && left.Type == "" {
		s.entries.Add(report.Approximated, eventPointer(at)+"/delta/type", detailOtherType)
	}
	if !left.IsEmpty() {
		s.loseDelta(left, at)
	}
}

// loseDelta reports the members of a delta that no chunk shows.
func (s *Stream) loseDelta(left interactionsapi.StepDelta, at int) {
	unshown.Add(&s.entries, eventPointer(at)+"/delta", &left, unshown.Nothing, detailNoCounterpart)
}

const detailOtherType = "it is read as a piece of its step"

// belongs reports whether deltas of a type belong to a step.
func belongs(delta interactionsapi.DeltaType, step interactionsapi.StepType) bool {
	switch delta {
	case interactionsapi.DeltaTypeThoughtSummary, interactionsapi.DeltaTypeThoughtSignature:
		return step == interactionsapi.StepTypeThought
	default:
		return step == interactionsapi.StepTypeModelOutput
	}
}

// summary passes on a piece of a summary.
func (s *Stream) summary(o *openStep, d *interactionsapi.StepDelta, at int) {
	content := interactions.SummaryContent(d)
	from := source{at, "/delta/text"}
	if d.Content != nil {
		from.below = "/delta/content"
	}
	s.piece(o, &content, from)
	if content.Annotations != nil {
		s.entries.Add(report.Lost, from.pointer()+"/annotations",
			detailNoCounterpart)
	}
}

// sign takes the signature of a thought, of which the last one counts.
func (s *Stream) sign(o *openStep, signature string, at int) {
	if signature == "" {
		return
	}
	if before := o.signature; before.value != "" && before.value != signature {
		s.entries.Add(report.Approximated, eventPointer(before.at), detailLater)
	}
	o.signature = signed{signature, at}
}

// source is the place of a piece of content: an event and the pointer in it.
type source struct {
	at    int
	below string
}

func (f source) pointer() string { return eventPointer(f.at) + f.below }

// piece passes on a piece of content.
func (s *Stream) piece(o *openStep, c *interactionsapi.Content, from source) {
	content := *c
	if content.Type == interactionsapi.ContentTypeText {
		o.beginText()
		content.Text = o.news(c.Text)
		if jsonx.Deref(content.Text) == "" && isPlainText(&content) {
			return
		}
	} else {
		o.inText = false
		if o.skipMedia > 0 {
			o.skipMedia--
			return
		}
		o.sentMedia++
	}
	if s.noThoughts && o.isThought() {
		s.entries.Add(report.Lost, from.pointer(), detailNoThoughts)
		return
	}
	s.send(o, &content, from)
}

// text passes on a piece of the text of an output that has nothing else.
func (s *Stream) text(o *openStep, text *string) {
	o.beginText()
	if text = o.news(text); jsonx.Deref(text) == "" {
		return
	}
	s.makeRoom(o)
	s.parts = append(s.parts, geminiapi.Part{})
	s.parts[len(s.parts)-1].Text = text
	s.setPlace(s.joiner.JoinText(*text, false), text, o)
}

// beginText begins a text, unless the last piece was of one.
func (o *openStep) beginText() {
	if !o.inText {
		o.inText = true
		o.texts = append(o.texts, o.place())
	}
}

// place returns the place of the next text. A text that was passed on before a replay keeps its
// place.
func (o *openStep) place() block {
	if n := len(o.texts); n < len(o.places) {
		return o.places[n]
	}
	return block{part: -1}
}

// news returns a text without what was passed on before a replay.
func (o *openStep) news(text *string) *string {
	size := len(jsonx.Deref(text))
	skip := min(o.skipText, size)
	o.skipText -= skip
	o.sentText += size - skip
	if skip > 0 {
		return new((*text)[skip:])
	}
	return text
}

// makeRoom makes room for the part of a piece. The first piece of a step has the part with the
// extension of the step before it.
func (s *Stream) makeRoom(o *openStep) {
	if !o.begun {
		o.begun = true
		s.parts = s.convert.Begin(s.parts, o.start, eventPointer(o.at)+"/step")
		s.join()
	}
	if s.parts == nil {
		s.memory = s.newMemory()
		s.parts = s.memory.parts[:0]
	}
}

// send appends the part of a piece.
func (s *Stream) send(o *openStep, c *interactionsapi.Content, from source) {
	s.makeRoom(o)
	if isPlainText(c) { // as nearly always
		s.parts = append(s.parts, geminiapi.Part{})
		part := &s.parts[len(s.parts)-1]
		part.Text = c.Text
		if o.isThought() {
			part.Thought = &isThought
		}
	} else {
		s.parts = append(s.parts, s.convert.Piece(o.start, c, from.pointer()))
	}
	part := &s.parts[len(s.parts)-1]
	s.setPlace(s.joiner.Join(part), part.Text, o)
}

// isPlainText reports whether a block is nothing but a text and its annotations.
func isPlainText(c *interactionsapi.Content) bool {
	if c.Type != interactionsapi.ContentTypeText {
		return false
	}
	rest := *c
	rest.Type, rest.Text, rest.Annotations = "", nil, nil
	return rest.IsEmpty()
}

// setPlace sets the place of the open text in the answer that clients join, after its last piece.
func (s *Stream) setPlace(step merge.Step, piece *string, o *openStep) {
	if step == merge.BeginPart {
		s.length = 0
	}
	s.joined = len(s.parts)
	if piece == nil || !o.inText {
		return
	}
	if text := &o.texts[len(o.texts)-1]; text.part < 0 {
		*text = block{s.joiner.Last(), s.length}
	}
	s.length += len(*piece)
}

// finish ends the first step in the queue, and passes on what the next one has held.
func (s *Stream) finish(o *openStep) {
	s.endStep(o)
	s.finished++
	if s.queue = s.queue[1:]; len(s.queue) == 0 {
		return
	}
	next := s.queue[0]
	s.passStart(next)
	for _, h := range next.held {
		s.pass(next, h.event, h.at)
	}
	if next.held = nil; next.last {
		s.finish(next)
	}
}

// endStep adds what is known only at the end of a step: the parts of a tool, the sources of a text,
// a signature.
func (s *Stream) endStep(o *openStep) {
	step := &o.all.Interaction().Steps[0]
	pointer := eventPointer(o.at) + "/step"
	if o.isContent() && o.begun {
		s.note(step, pointer)
		if o.kind == interactionsapi.StepTypeModelOutput {
			s.cite(o, step)
		}
		s.parts = s.convert.Finish(s.parts, step, pointer)
		s.parts = append(s.parts, s.sources.takeSpoken()...)
		s.join()
		return
	}
	before := len(s.entries)
	if s.noThoughts && o.isThought() && len(step.Summary) > 0 { // which is reported already
		if step = withoutSummary(step); step == nil {
			return
		}
	}
	s.parts = s.add(s.parts, step, "")
	s.pointInto(o, s.entries[before:])
	s.join()
	s.reportReplaced(o, step)
}

// cite adds the annotations of an output.
func (s *Stream) cite(o *openStep, step *interactionsapi.Step) {
	content, texts := interactions.ContentOf(step), 0
	for i := range content {
		c := &content[i]
		if c.Type != interactionsapi.ContentTypeText {
			continue
		}
		p := place{part: s.joiner.Last() + 1, text: jsonx.Deref(c.Text)}
		if texts < len(o.texts) && o.texts[texts].part >= 0 {
			p.part, p.base = o.texts[texts].part, o.texts[texts].base
		}
		if texts++; c.Annotations != nil {
			s.annotate(p, c.Annotations, o.citedAt)
		}
	}
}

// citedAt returns the pointer of an annotation of a step, by the order of the annotations.
func (o *openStep) citedAt(i int) string {
	for _, c := range o.cited {
		if i < c.count {
			return eventPointer(c.at) + "/delta/annotations/" + strconv.Itoa(i)
		}
		i -= c.count
	}
	return eventPointer(o.at) + "/step/content"
}

// collect takes a delta of a step that is one part.
func (s *Stream) collect(o *openStep, d *interactionsapi.StepDelta, kind interactionsapi.DeltaType,
	at int) {
	o.seen = append(o.seen, deltaEvent{d, at})
	left := *d
	left.Type, left.Name, left.ServerName, left.Arguments, left.Result = "", nil, nil, nil, nil
	left.IsError, left.SearchType, left.RetrievalType, left.Unknown = nil, nil, nil, nil
	left.Signature = nil
	if kind == interactionsapi.DeltaTypeArgumentsDelta {
		left.Unknown = d.Unknown
	} else if d.Type != "" && string(d.Type) != string(o.kind) {
		s.entries.Add(report.Approximated, eventPointer(at)+"/delta/type", detailOtherType)
	}
	if !left.IsEmpty() {
		s.loseDelta(left, at)
	}
}

// pointInto moves the pointers of entries about a step to the events that have its members.
func (s *Stream) pointInto(o *openStep, entries report.Report) {
	var more report.Report
	for i := range entries {
		e := &entries[i]
		name, _, _ := strings.Cut(strings.TrimPrefix(e.Pointer, "/"), "/")
		at := eventPointer(o.at) + "/step"
		for _, seen := range o.seen {
			if name == "" {
				more.Add(e.Kind, eventPointer(seen.at)+"/delta", e.Detail)
			} else if jsonx.Member(encoded(seen.delta), name) != nil {
				at = eventPointer(seen.at) + "/delta"
			}
		}
		e.Pointer = at + e.Pointer
	}
	s.entries = append(s.entries, more...)
}

// reportReplaced reports the members of a step's events that later events replaced.
func (s *Stream) reportReplaced(o *openStep, step *interactionsapi.Step) {
	if len(o.seen) == 0 {
		return
	}
	last := encoded(step)
	s.reportMembers(encoded(o.start), last, eventPointer(o.at)+"/step", "type")
	for _, seen := range o.seen {
		if interactions.DeltaType(seen.delta, o.kind) != interactionsapi.DeltaTypeArgumentsDelta {
			s.reportMembers(encoded(seen.delta), last, eventPointer(seen.at)+"/delta", "type")
		}
	}
}

// reportMembers reports the members of an object that the last one has with other values. Empty
// values say nothing.
func (s *Stream) reportMembers(object, last jsontext.Value, pointer, except string) {
	for name, value := range jsonx.Members(object) {
		if text := string(value); name == except || text == `""` || text == "{}" || text == "[]" {
			continue
		}
		if !bytes.Equal(value, jsonx.Member(last, name)) {
			s.entries.Add(report.Approximated,
				pointer+jsonx.MemberPointer("", name), detailLater)
		}
	}
}

// encoded returns a value of the wire as JSON.
func encoded(v any) jsontext.Value {
	out, _ := json.Marshal(v, jsonx.Canonical, jsontext.AllowInvalidUTF8(true))
	return out
}
