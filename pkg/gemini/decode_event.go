package gemini

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/plainjson"
	"github.com/gemwire/gemwire/pkg/report"
)

// decode decodes the event at hand, which must be complete, and notes what of it is replaced.
// Strings that it has in common with events before it are theirs.
//
// What is rare has a function of its own, so that the stack of a call that waits for its next event
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

// decodePlain decodes an event that is plain JSON, as nearly all are. It returns nil for any other.
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
			"of a type that has no meaning there, treated as absent")
	}
	return out, err
}

// noteReplaced notes what decoding replaces in the text of the event at hand.
func (s *StreamReader) noteReplaced(data []byte) {
	if replaced := report.ReplacedText(s.position(), data); len(replaced) > 0 {
		s.ensureEntries().replaced = append(s.ensureEntries().replaced, replaced...)
	}
}

// position returns the pointer of the event at hand.
func (s *StreamReader) position() string { return "/" + strconv.Itoa(s.count) }

const (
	// largeSize is the size above which an event is decoded without being put together.
	largeSize = 1 << 20
	// largeMark stands for the data that is left out meanwhile.
	largeMark = "gemwire:left-out"
)

// decodeLarge decodes an event whose pieces are nearly all one string, the base64 of an image. It
// decodes the rest without the string, which is then built once and at its final size. An event
// that is put together first takes three times its size, this way two.
//
// It returns nil for an event that is not of this kind, and for one that is no response; else the
// rest as well, in which everything but the string has the place that it has in the event.
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

// longestQuoted returns where the longest run of bytes between two quotes begins and ends.
func longestQuoted(pieces [][]byte) (start, end int) {
	offset, behind := 0, 0 // of the piece; behind the last quote
	for _, piece := range pieces {
		for pos := 0; ; {
			n := bytes.IndexByte(piece[pos:], '"')
			if n < 0 {
				break
			}
			quote := offset + pos + n
			if behind > 0 && quote-behind > end-start {
				start, end = behind, quote
			}
			behind = quote + 1
			pos += n + 1
		}
		offset += len(piece)
	}
	return start, end
}

// cut returns the bytes from start to end, as pieces of the pieces.
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

// isBase64 reports whether all bytes are of the standard or the URL-safe alphabet. Such bytes mean
// themselves in a JSON string.
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

// markedBlob returns the media whose data was left out.
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

// WithReusedChunks has a [StreamReader] use the memory of a chunk again for the next one, if it is
// nothing but a piece of a text or a thought, as nearly all are: what Next has returned then
// changes. Texts stay as they are. A record of usage stays as it is until two more with the same
// members have come. Chunks with equal records share them, so they must not be changed.
//
// It is for who is done with a chunk before the next one, such as the streams of package normalize
// and of those below pkg/transform. It is not for who keeps chunks, as package toolloop and
// normalize.MergeChunks do. Package chats takes it back.
func WithReusedChunks() StreamOption {
	return func(s *StreamReader) { s.reusedChunk = &textChunk{} }
}

// WithoutReusedChunks takes [WithReusedChunks] back, for who keeps chunks and does not know the
// options of a client.
func WithoutReusedChunks() StreamOption { return func(s *StreamReader) { s.reusedChunk = nil } }

// textChunk is a chunk that is nothing but a piece of a text. Its memory is used again, but for
// what its readers keep: a pointer to the author, the model and the like leads to the same text as
// long as chunks repeat it, and to another one then.
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

// isThought is never written to.
var isThought = true

// decode reads a chunk that is a piece of a text. It returns nil for any other, also for one that
// is not plain.
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

// againText returns a pointer to a text: the one before where that is the same.
func againText(before **string, text []byte) *string {
	if *before == nil || **before != string(text) {
		*before = new(string(text))
	}
	return *before
}

// againNumber does so for a number.
func againNumber(before **int, number int) *int {
	if *before == nil || **before != number {
		*before = new(number)
	}
	return *before
}
