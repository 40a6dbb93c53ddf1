package gemini

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/plainjson"
	"github.com/gemwire/gemwire/pkg/report"
)

// decode decodes the current event, which must be complete, and records the replaced parts. Strings
// that also were in earlier events share their memory.
//
// Rare cases have their own functions, so that the stack of a call that waits for its next event
// need not grow.
func (s *StreamReader) decode() (*geminiapi.GenerateContentResponse, error) {
	e := &s.scanner.Event
	if e.Size >= largeSize {
		if chunk, rest := decodeLarge(e.Pieces()); chunk != nil {
			s.noteReplaced(rest)
			return chunk, nil
		}
	}
	if s.reusedChunk != nil {
		if chunk := s.reusedChunk.decode(e.Bytes(), &s.recent); chunk != nil {
			return chunk, nil
		}
	}
	if chunk := s.decodePlain(e.Bytes()); chunk != nil {
		return chunk, nil
	}
	return s.decodeForgiving(e.Bytes())
}

// decodePlain decodes an event that is plain JSON, as nearly all events are. It returns nil for any
// other event.
func (s *StreamReader) decodePlain(data []byte) *geminiapi.GenerateContentResponse {
	d := plainjson.NewDecoder(data)
	d.Recent = &s.recent
	out := new(geminiapi.GenerateContentResponse)
	if out.DecodePlain(&d); !d.Done() {
		return nil
	}
	fillBlockReason(data, out)
	return out
}

// decodeForgiving decodes an event of any other form.
func (s *StreamReader) decodeForgiving(data []byte) (*geminiapi.GenerateContentResponse, error) {
	out, ignored, err := DecodeForgiving(data)
	s.noteReplaced(data)
	for _, pointer := range ignored {
		s.ensureEntries().ignored.Add(report.Lost, s.position()+pointer,
			"wrong type, treated as absent")
	}
	return out, err
}

// noteReplaced records what decoding replaces in the text of the current event.
func (s *StreamReader) noteReplaced(data []byte) {
	if replaced := report.ReplacedText(s.position(), data); len(replaced) > 0 {
		s.ensureEntries().replaced = append(s.ensureEntries().replaced, replaced...)
	}
}

// position returns the pointer of the current event.
func (s *StreamReader) position() string { return "/" + strconv.Itoa(s.count) }

const (
	// largeSize is the size above which an event is decoded without joining its pieces.
	largeSize = 1 << 20
	// largeMark is a placeholder for the omitted data.
	largeMark = "gemwire:left-out"
)

// decodeLarge decodes an event that is mostly one string, the base64 of an image. It decodes the
// rest without the string, and then builds the string once at its final size. Joining such an event
// first takes three times its size; this way takes two.
//
// It returns nil for any other event and for an event that is not a response. Otherwise it also
// returns the rest, in which everything but the string keeps its offset in the event.
func decodeLarge(pieces [][]byte) (chunk *geminiapi.GenerateContentResponse, rest []byte) {
	start, end := longestQuoted(pieces)
	size := sizeOf(pieces)
	if end-start < size/2 || !isBase64(cut(pieces, start, end)) {
		return nil, nil
	}
	rest = bytes.Join(append(append(cut(pieces, 0, start), []byte(largeMark)),
		cut(pieces, end, size)...), nil)
	chunk, err := DecodeResponse(rest)
	if err != nil || bytes.Count(rest, []byte(largeMark)) != 1 {
		return nil, nil
	}
	for _, candidate := range chunk.Candidates {
		if blob := markedBlob(candidate.Content); blob != nil {
			*blob.Data = join(cut(pieces, start, end), end-start)
			return chunk, rest
		}
	}
	return nil, nil
}

// longestQuoted returns the start and end of the longest run of bytes between two quotes.
func longestQuoted(pieces [][]byte) (start, end int) {
	offset, after := 0, 0 // of the piece; after the last quote
	for _, piece := range pieces {
		for pos := 0; ; {
			n := bytes.IndexByte(piece[pos:], '"')
			if n < 0 {
				break
			}
			quote := offset + pos + n
			if after > 0 && quote-after > end-start {
				start, end = after, quote
			}
			after = quote + 1
			pos += n + 1
		}
		offset += len(piece)
	}
	return start, end
}

// cut returns the bytes from start to end, as subslices of the pieces.
func cut(pieces [][]byte, start, end int) [][]byte {
	var out [][]byte
	for _, piece := range pieces {
		from, to := max(start, 0), min(end, len(piece))
		if from < to {
			out = append(out, piece[from:to])
		}
		start -= len(piece)
		end -= len(piece)
	}
	return out
}

func sizeOf(pieces [][]byte) int {
	size := 0
	for _, piece := range pieces {
		size += len(piece)
	}
	return size
}

func join(pieces [][]byte, size int) string {
	var out strings.Builder
	out.Grow(size)
	for _, piece := range pieces {
		out.Write(piece)
	}
	return out.String()
}

// isBase64 reports whether all bytes are of the standard or the URL-safe alphabet. Such bytes need
// no unescaping in a JSON string.
func isBase64(pieces [][]byte) bool {
	for _, piece := range pieces {
		for _, c := range piece {
			if !isNameByte(c) && c != '+' && c != '/' && c != '-' && c != '=' {
				return false
			}
		}
	}
	return true
}

// markedBlob returns the media whose data was omitted.
func markedBlob(content *geminiapi.Content) *geminiapi.Blob {
	if content == nil {
		return nil
	}
	for _, part := range content.Parts {
		if blob := part.InlineData; blob != nil && blob.Data != nil && *blob.Data == largeMark {
			return blob
		}
	}
	return nil
}

func isNameByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_'
}

// WithReusedChunks lets a [StreamReader] reuse the memory of a chunk for the next one, if the chunk
// is only a piece of a text or a thought, as nearly all are. The chunk that Next returned then
// changes with the next call. Texts do not change. A usage record may change when two more records
// with the same members have arrived. Chunks with equal usage share one record, so records must not
// be changed.
//
// Use it if you finish with a chunk before you read the next one, as the streams of package
// normalize and below pkg/transform do. Do not use it if you keep chunks, as package toolloop and
// normalize.MergeChunks do. Package chats turns it off.
func WithReusedChunks() StreamOption {
	return func(s *StreamReader) { s.reusedChunk = &textChunk{} }
}

// WithoutReusedChunks turns [WithReusedChunks] off. Use it if you keep chunks and do not know the
// options of a client.
func WithoutReusedChunks() StreamOption { return func(s *StreamReader) { s.reusedChunk = nil } }

// textChunk is a chunk that is only a piece of a text. Its memory is reused, except for what
// readers keep: a pointer to the role or the model, for example, leads to the same text while
// chunks repeat it, and to a new one after that.
type textChunk struct {
	response  geminiapi.GenerateContentResponse
	candidate [1]geminiapi.Candidate
	content   geminiapi.Content
	part      [1]geminiapi.Part
	text      string

	index                    *int
	role, id, model, created *string
	usage                    reusedUsage
}

// isThought is never modified.
var isThought = true

// decode reads a chunk that is a piece of a text. It returns nil for any other chunk, and if the
// JSON is not plain.
func (c *textChunk) decode(data []byte,
	recent *plainjson.Recent) *geminiapi.GenerateContentResponse {
	d := plainjson.NewDecoder(data)
	d.Recent = recent
	c.response = geminiapi.GenerateContentResponse{}
	var seen uint64
	for name := d.BeginObject(); name != nil; name = d.NextMember() {
		switch string(name) {
		case "candidates":
			seen = d.Once(seen, 1<<0)
			c.readCandidate(&d)
		case "usageMetadata":
			seen = d.Once(seen, 1<<1)
			c.response.UsageMetadata = c.usage.read(&d, data)
		case "modelVersion":
			seen = d.Once(seen, 1<<2)
			c.response.ModelVersion = againText(&c.model, d.Word())
		case "responseId":
			seen = d.Once(seen, 1<<3)
			c.response.ResponseID = againText(&c.id, d.Word())
		case "createTime":
			seen = d.Once(seen, 1<<4)
			c.response.CreateTime = againText(&c.created, d.Word())
		default:
			d.Fail()
		}
	}
	if !d.Done() || c.response.Candidates == nil {
		return nil
	}
	return &c.response
}

// readCandidate reads a list of one candidate.
func (c *textChunk) readCandidate(d *plainjson.Decoder) {
	if !d.BeginList() {
		d.Fail()
		return
	}
	c.candidate[0] = geminiapi.Candidate{}
	var seen uint64
	for name := d.BeginObject(); name != nil; name = d.NextMember() {
		switch string(name) {
		case "content":
			seen = d.Once(seen, 1<<0)
			c.readContent(d)
		case "index":
			seen = d.Once(seen, 1<<1)
			c.candidate[0].Index = againNumber(&c.index, d.Int())
		default:
			d.Fail()
		}
	}
	if d.NextElement() || c.candidate[0].Content == nil {
		d.Fail()
	}
	c.response.Candidates = c.candidate[:]
}

// readContent reads a content of one part.
func (c *textChunk) readContent(d *plainjson.Decoder) {
	c.content = geminiapi.Content{}
	var seen uint64
	for name := d.BeginObject(); name != nil; name = d.NextMember() {
		switch string(name) {
		case "parts":
			seen = d.Once(seen, 1<<0)
			c.readPart(d)
		case "role":
			seen = d.Once(seen, 1<<1)
			c.content.Role = againText(&c.role, d.Word())
		default:
			d.Fail()
		}
	}
	if c.content.Parts == nil {
		d.Fail()
	}
	c.candidate[0].Content = &c.content
}

// readPart reads a list of one part, a text or a thought.
func (c *textChunk) readPart(d *plainjson.Decoder) {
	if !d.BeginList() {
		d.Fail()
		return
	}
	c.part[0] = geminiapi.Part{}
	var seen uint64
	for name := d.BeginObject(); name != nil; name = d.NextMember() {
		switch string(name) {
		case "text":
			seen = d.Once(seen, 1<<0)
			c.text = d.String()
			c.part[0].Text = &c.text
		case "thought":
			seen = d.Once(seen, 1<<1)
			if !d.Bool() {
				d.Fail()
			}
			c.part[0].Thought = &isThought
		default:
			d.Fail()
		}
	}
	if d.NextElement() || c.part[0].Text == nil {
		d.Fail()
	}
	c.content.Parts = c.part[:]
}

// againText returns a pointer to a text, the previous pointer if the text is the same.
func againText(before **string, text []byte) *string {
	if *before == nil || **before != string(text) {
		*before = new(string(text))
	}
	return *before
}

// againNumber is againText for a number.
func againNumber(before **int, number int) *int {
	if *before == nil || **before != number {
		*before = new(number)
	}
	return *before
}
