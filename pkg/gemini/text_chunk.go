package gemini

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/plainjson"
)

// WithReusedChunks has a [StreamReader] use the memory of a chunk again for the next one, if it is nothing but a piece of a
// text or a thought, as nearly all are: what Next has returned then changes. Texts stay as they are, and so do the records
// of usage, which chunks with equal ones share and nobody may change.
//
// It is for who is done with a chunk before the next one, such as the streams of package normalize and of those below
// pkg/transform. It is not for who keeps chunks, as package toolloop and normalize.MergeChunks do. Package chats takes it back.
func WithReusedChunks() StreamOption {
	return func(s *StreamReader) { s.reusedChunk = &textChunk{} }
}

// WithoutReusedChunks takes [WithReusedChunks] back, for who keeps chunks and does not know the options of a client.
func WithoutReusedChunks() StreamOption { return func(s *StreamReader) { s.reusedChunk = nil } }

// textChunk is a chunk that is nothing but a piece of a text. Its memory is used again, but for what its readers keep:
// a pointer to the author, the model and the like leads to the same text as long as chunks repeat it, and to another one
// then.
type textChunk struct {
	response  geminiapi.GenerateContentResponse
	candidate [1]geminiapi.Candidate
	content   geminiapi.Content
	part      [1]geminiapi.Part
	text      string

	index                    *int
	role, id, model, created *string
	usage                    *geminiapi.UsageMetadata
	usageText                []byte // the JSON of usage
}

// maxUsageText is the size up to which the JSON of a record is worth being compared.
const maxUsageText = 1 << 10

// isThought is never written to.
var isThought = true

// decode reads a chunk that is a piece of a text. It returns nil for any other, also for one that is not plain.
func (c *textChunk) decode(data []byte, recent *plainjson.Recent) *geminiapi.GenerateContentResponse {
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
			c.readUsage(&d, data)
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

// readUsage reads the counts, which are those of the chunk before where it says them in the same bytes.
func (c *textChunk) readUsage(d *plainjson.Decoder, data []byte) {
	if c.usage != nil && d.Again(c.usageText) {
		c.response.UsageMetadata = c.usage
		return
	}
	begin := d.Offset()
	usage := new(geminiapi.UsageMetadata)
	usage.DecodePlain(d)
	c.response.UsageMetadata, c.usage = usage, nil
	if size := d.Offset() - begin; 0 < size && size <= maxUsageText {
		c.usage, c.usageText = usage, append(c.usageText[:0], data[begin:begin+size]...)
	}
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
