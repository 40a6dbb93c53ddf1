package aisdk

import (
	"bytes"
	"cmp"
	"errors"
	"maps"
	"slices"
	"strconv"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/indexed"
	"github.com/gemwire/gemwire/internal/object"
	"github.com/gemwire/gemwire/internal/told"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/go-json-experiment/json/jsontext"
)

// survey finds out what of a stream its parts do not tell. What a part of the content says is in the
// parts of the SDK, or is noted here when the chunk comes; what a chunk says besides is kept and at the
// end held against what the finish tells. The methods of a nil survey do nothing.
type survey struct {
	report transform.Report
	v4     bool
	chunks []chunkRecord
	count  int      // of all chunks, nil ones included
	places []string // of the calls and results in the last chunk that are not mapped yet
}

// chunkRecord is what a chunk says besides its parts.
type chunkRecord struct {
	position   int
	response   geminiapi.GenerateContentResponse // without candidates
	candidates []candidateRecord
	refused    string // why it ended the stream, "" if it did not
}

type candidateRecord struct {
	position int
	wire     geminiapi.Candidate // without parts
}

// entries returns the report so far.
func (s *survey) entries() transform.Report {
	if s == nil {
		return nil
	}
	return slices.Clip(s.report)
}

// pointer returns the place of the chunk that came last, or of something in it.
func (s *survey) pointer(inChunk string) string { return "/" + strconv.Itoa(s.count-1) + inChunk }

// chunk takes a chunk in before it is mapped, or after the end of the stream.
func (s *survey) chunk(chunk *geminiapi.GenerateContentResponse, ended bool) {
	if s == nil {
		return
	}
	s.count++
	s.places = s.places[:0]
	switch {
	case chunk == nil:
		return
	case ended:
		s.report.Add(transform.Lost, s.pointer(""), "it came after the end of the stream")
		return
	}
	record := chunkRecord{position: s.count - 1, response: *chunk}
	record.response.Candidates = nil
	var positions indexed.Positions
	for i := range chunk.Candidates {
		wire := chunk.Candidates[i]
		at := s.pointer(candidatePointer(i))
		if positions.Of(wire.Index) != streamedCandidate {
			s.report.Add(transform.Lost, at, "only the first candidate is streamed")
			continue
		}
		if wire.Content != nil {
			s.parts(wire.Content.Parts, at+"/content/parts/")
			wire.Content = &geminiapi.Content{Role: wire.Content.Role, Unknown: wire.Content.Unknown}
		}
		record.candidates = append(record.candidates, candidateRecord{position: i, wire: wire})
	}
	s.chunks = append(s.chunks, record)
}

func candidatePointer(position int) string { return "/candidates/" + strconv.Itoa(position) }

func (s *survey) parts(parts []geminiapi.Part, at string) {
	for i := range parts {
		s.part(&parts[i], at+strconv.Itoa(i))
	}
}

// part notes what the SDK needs and the part does not have, by the payload that counts, which is the
// one of [normalize.Block].
func (s *survey) part(p *geminiapi.Part, at string) {
	switch {
	case p.FunctionCall != nil:
		if told.BeginsCall(*p) {
			s.call(p.FunctionCall.ID, at+"/functionCall")
		}
		for member, detail := range told.Reshaped(*p) {
			s.report.Add(transform.Approximated, at+"/functionCall"+member, detail)
		}
	case p.FunctionResponse != nil:
		s.result(at + "/functionResponse")
	case p.ToolCall != nil:
		s.call(p.ToolCall.ID, at+"/toolCall")
	case p.ToolResponse != nil:
		s.result(at + "/toolResponse")
	case p.ExecutableCode != nil:
		s.call(p.ExecutableCode.ID, at+"/executableCode")
	case p.CodeExecutionResult != nil:
		s.result(at + "/codeExecutionResult")
	case p.InlineData != nil:
		s.missing(p.InlineData.MIMEType, at+"/inlineData/mimeType", detailNoMediaType)
	case p.FileData != nil && s.v4 && isDataURL(deref(p.FileData.FileURI)):
		s.missing(p.FileData.MIMEType, at+"/fileData/mimeType", detailNoMediaType)
	case p.FileData != nil:
		s.report.Add(transform.Approximated, at+"/fileData", "a source stands for it, as files have no address")
	}
}

func (s *survey) call(id *string, at string) {
	s.missing(id, at+"/id", detailNoCallID)
	s.places = append(s.places, at)
}

func (s *survey) result(at string) { s.places = append(s.places, at) }

// nextPlace returns the place of the call or result that is mapped next.
func (s *survey) nextPlace() string {
	if s == nil || len(s.places) == 0 {
		return ""
	}
	place := s.places[0]
	s.places = s.places[1:]
	return place
}

const (
	detailNoCallID    = "the call has no id"
	detailNoMediaType = "the file has no media type"
)

func (s *survey) missing(member *string, at, detail string) {
	if deref(member) == "" {
		s.report.Add(transform.Added, at, detail)
	}
}

// orphan notes that a call was added for a result.
func (s *survey) orphan(place string) {
	if s != nil {
		s.report.Add(transform.Added, place, "the result has no call before it")
	}
}

// guessed notes that a result was given to a call with another id than its own.
func (s *survey) guessed(place, id string) {
	switch {
	case s == nil:
	case id == "":
		s.report.Add(transform.Added, place+"/id", "the result has no id; it is taken for that of the call before it")
	default:
		s.report.Add(transform.Approximated, place+"/id", "no call has the id; the result is taken for that of the one call without any")
	}
}

// repeated notes that a call was given another id than its own.
func (s *survey) repeated(place string) {
	if s != nil {
		s.report.Add(transform.Approximated, place+"/id", "another call has the id; one made of it stands for it")
	}
}

// noTimestamp notes that the last chunk tells a time that no Date can hold as it stands.
func (s *survey) noTimestamp() {
	if s != nil {
		s.report.Add(transform.Approximated, s.pointer("/createTime"), "no timestamp can hold it; the finish tells it")
	}
}

// refused notes that the last chunk ended the stream.
func (s *survey) refused(err error) {
	if s == nil {
		return
	}
	last := &s.chunks[len(s.chunks)-1]
	if _, ok := errors.AsType[*normalize.PartError](err); ok {
		last.refused = "the chunk cannot be understood"
		s.report.Add(transform.Lost, s.pointer(""), "it cannot be understood to its end")
		return
	}
	last.refused = "the chunk is an error"
	if len(last.candidates) > 0 {
		s.report.Add(transform.Lost, s.pointer("/candidates"), last.refused)
		last.candidates = nil
	}
}

// finish reports what the chunks said and the parts do not tell.
func (s *survey) finish(told *summary, failure jsontext.Value) {
	if s == nil {
		return
	}
	response, candidate := *told, told.Candidates[0]
	response.Candidates = nil
	if failure != nil {
		response.Unknown = withError(response.Unknown, failure)
	}
	if candidate.Index == nil {
		candidate.Index = new(streamedCandidate)
	}
	if candidate.Content == nil || candidate.Content.Role == nil {
		candidate.Content = &geminiapi.Content{Role: new(modelRole), Unknown: deref(candidate.Content).Unknown}
	}
	d := difference{report: &s.report, objects: map[string]map[string]jsontext.Value{}, lists: map[string]map[string]bool{}}
	toldResponse, toldCandidate := canonical(&response), canonical(&candidate)
	for i := range s.chunks {
		record := &s.chunks[i]
		at := "/" + strconv.Itoa(record.position)
		d.refused = record.refused
		d.record(at, "", canonical(&record.response), toldResponse)
		for j := range record.candidates {
			c := &record.candidates[j]
			d.record(at+candidatePointer(c.position), "/candidates", canonical(&c.wire), toldCandidate)
		}
	}
	s.chunks = nil
}

// withError adds the member that an error chunk has.
func withError(unknown, failure jsontext.Value) jsontext.Value {
	out := append(jsontext.Value(`{"error":`), failure...)
	if rest := bytes.TrimPrefix(unknown, []byte("{")); len(rest) > len("}") {
		out = append(out, ',')
		return append(out, rest...)
	}
	return append(out, '}')
}

// canonical writes a value in a form in which equal values are equal bytes, numbers apart.
func canonical[T any](v *T) jsontext.Value {
	out := marshal(v)
	if err := out.Format(jsontext.ReorderRawObjects(true), lenient); err != nil {
		return nil
	}
	return out
}

// difference reports what is in the records of the chunks and not in the summary.
type difference struct {
	report  *transform.Report
	refused string                               // of the chunk
	objects map[string]map[string]jsontext.Value // members of the summary's objects, by their place
	lists   map[string]map[string]bool           // elements of its lists
}

// superseded are the members of which only what came last counts, by their place.
var superseded = map[string]string{
	"/usageMetadata":                "counts so far; those at the end are told",
	"/promptFeedback/safetyRatings": "ratings so far; those at the end are told",
	"/candidates/safetyRatings":     "ratings so far; those at the end are told",
	"/candidates/avgLogprobs":       "the average so far; that at the end is told",
	"/candidates/tokenCount":        "the count so far; that at the end is told",
	"/candidates/finishReason":      "a later chunk gives another reason, which is told",
	"/candidates/finishMessage":     "a later chunk explains it in other words, which are told",
}

// record compares two objects: what stands at a pointer of the stream, whose place in every chunk is
// path, and what is told.
func (d *difference) record(at, path string, wire, told jsontext.Value) {
	switch {
	case isLeafless(wire):
	case told == nil:
		d.report.Add(transform.Lost, at, cmp.Or(d.refused, "no part tells it"))
	case wire.Kind() != told.Kind():
		d.lost(at)
	case wire.Kind() == jsontext.KindBeginObject:
		d.members(at, path, wire, told)
	case wire.Kind() == jsontext.KindBeginArray:
		d.elements(at, path, wire, told)
	default:
		d.lost(at)
	}
}

func (d *difference) lost(at string) {
	d.report.Add(transform.Lost, at, cmp.Or(d.refused, "another chunk says something else, which is told"))
}

// isLeafless reports whether there is no value in a value.
func isLeafless(v jsontext.Value) bool {
	return len(v) == 0 || v.Kind() == jsontext.KindNull || string(v) == "{}" || string(v) == "[]"
}

func (d *difference) members(at, path string, wire, told jsontext.Value) {
	toldMembers, known := d.objects[path]
	if !known {
		toldMembers = maps.Collect(object.Members(told))
		d.objects[path] = toldMembers
	}
	for name, wireValue := range object.Members(wire) {
		value := toldMembers[name]
		if bytes.Equal(value, wireValue) {
			continue
		}
		name = string(jsontext.Pointer("").AppendToken(name))
		before := len(*d.report)
		d.record(at+name, path+name, wireValue, value)
		if detail, ok := superseded[path+name]; ok && value != nil && d.refused == "" && len(*d.report) > before {
			*d.report = (*d.report)[:before]
			d.report.Add(transform.Approximated, at+name, detail)
		}
	}
}

func (d *difference) elements(at, path string, wire, told jsontext.Value) {
	known := d.lists[path]
	if known == nil {
		known = map[string]bool{}
		d.lists[path] = known
		for _, element := range listOf(told) {
			known[string(element)] = true
		}
	}
	for i, element := range listOf(wire) {
		if !known[string(element)] && !isLeafless(element) {
			d.lost(at + "/" + strconv.Itoa(i))
		}
	}
}

// listOf returns the elements of a list that was just written.
func listOf(list jsontext.Value) (out []jsontext.Value) {
	dec := jsontext.NewDecoder(bytes.NewBuffer(list), lenient)
	for _, err := dec.ReadToken(); err == nil && dec.PeekKind() != jsontext.KindEndArray; {
		var element jsontext.Value
		element, err = dec.ReadValue()
		out = append(out, element.Clone())
	}
	return out
}
