package normalize

import (
	"strconv"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/internal/merge"
)

// partPosition is the position of a part in the response.
type partPosition struct {
	candidate int // position among the candidates
	index     int // the candidate's
	part      int // position among the parts
	joined    int // that in the content that chunks make, of which ids are made
}

// pointer returns the JSON pointer of a member of the part.
func (p partPosition) pointer(member string) string {
	return "/candidates/" + strconv.Itoa(p.candidate) + "/content/parts/" + strconv.Itoa(p.part) +
		member
}

// blocks normalises the parts of a candidate's content. An empty part gives no block. The pieces of
// a call give one block.
func (n *normalizer) blocks(c *geminiapi.Candidate, at partPosition) ([]Block, error) {
	parts := c.Content.Parts
	if len(parts) == 0 {
		return nil, nil
	}
	list := blockList{normalizer: n, at: at, blocks: make([]Block, 0, len(parts))}
	if merge.HasPieces(parts) {
		if n.pieces == nil {
			n.pieces = &merge.Log{}
		}
		for _, p := range merge.WholeCalls(c, n.pieces,
			merge.Location{}.InCandidate(at.candidate)) {
			if err := list.add(p.Part, p.Position); err != nil {
				return nil, err
			}
		}
		return list.blocks, nil
	}
	for i := range parts {
		if err := list.add(&parts[i], i); err != nil {
			return nil, err
		}
	}
	return list.blocks, nil
}

// blockList is the normalised content of a candidate so far.
type blockList struct {
	*normalizer
	at     partPosition
	blocks []Block
	joined joinedPositions
}

// add adds the block of the part at a wire position, unless the part is empty.
func (l *blockList) add(p *geminiapi.Part, position int) error {
	l.at.part, l.at.joined = position, l.joined.count
	block, err := l.block(p, l.at)
	if err != nil {
		return err
	}
	if block.Type != "" {
		l.joined.take(&block)
		l.blocks = append(l.blocks, block)
	}
	return nil
}

// block normalises one part. A part of the wire has one payload. If a part has several, the first
// case of the switch wins, function calls before all others, and the rest goes to Extra. The block
// of an empty part has no Type.
func (n *normalizer) block(p *geminiapi.Part, at partPosition) (Block, error) {
	b := Block{Part: at.part, Signature: jsonx.Deref(p.ThoughtSignature),
		Thought: jsonx.Deref(p.Thought)}
	rest := *p
	rest.Thought, rest.ThoughtSignature = nil, nil

	var err error
	switch {
	case p.FunctionCall != nil:
		b.Type, rest.FunctionCall = BlockToolCall, functionCallRest(p.FunctionCall)
		b.ToolCall, err = n.toolCall(p.FunctionCall, at)
	case p.FunctionResponse != nil:
		b.Type, rest.FunctionResponse = BlockToolResult, functionResponseRest(p.FunctionResponse)
		b.ToolResult = newToolResult(p.FunctionResponse)
	case p.ToolCall != nil:
		b.Type, rest.ToolCall = BlockServerToolCall, toolCallRest(p.ToolCall)
		b.ServerToolCall = newServerToolCall(p.ToolCall)
	case p.ToolResponse != nil:
		b.Type, rest.ToolResponse = BlockServerToolResult, toolResponseRest(p.ToolResponse)
		b.ServerToolResult = newServerToolResult(p.ToolResponse)
	case p.ExecutableCode != nil:
		b.Type, rest.ExecutableCode = BlockCode, executableCodeRest(p.ExecutableCode)
		b.Code = newCode(p.ExecutableCode)
	case p.CodeExecutionResult != nil:
		b.Type, rest.CodeExecutionResult = BlockCodeResult,
			codeExecutionResultRest(p.CodeExecutionResult)
		b.CodeResult = newCodeResult(p.CodeExecutionResult)
	case p.InlineData != nil:
		b.Type, rest.InlineData = BlockMedia, blobRest(p.InlineData)
		b.Media = newMedia(p.InlineData)
	case p.FileData != nil:
		b.Type, rest.FileData = BlockFile, fileDataRest(p.FileData)
		b.File = newFile(p.FileData)
	case p.Text != nil:
		b.Type, rest.Text = BlockText, nil
		b.Text = *p.Text
		if b.Thought {
			b.Type, b.Thought = BlockThinking, false
		}
	default:
		return withoutPayload(b, p, &rest), nil
	}
	b.Extra = unlessEmpty(&rest, rest.IsEmpty())
	return b, err
}

// withoutPayload completes the block of a part without a known payload.
func withoutPayload(b Block, p, rest *geminiapi.Part) Block {
	switch {
	case b.Signature != "":
		b.Type, b.Extra = BlockSignature, unlessEmpty(rest, rest.IsEmpty())
	case b.Thought || !rest.IsEmpty():
		b.Type, b.Extra = BlockUnknown, p
	}
	return b
}

// WirePart returns the block in the form of the wire. It is the inverse of what [FromResponse] does
// with a part: for example, a call has the model's own id but no id that this package made. Members
// that were empty on the wire may be absent, and absent arguments are {}. WirePart returns nil if
// Gemini has no such part: redacted thinking of another provider, and unknown types. The part may
// hold pointers into b.
func (b *Block) WirePart() *geminiapi.Part {
	p := jsonx.Deref(b.Extra)
	p.ThoughtSignature = jsonx.NonEmpty(b.Signature)
	if b.Thought || b.Type == BlockThinking {
		p.Thought = new(true)
	}
	switch b.Type {
	case BlockUnknown:
		return b.Extra // the whole part
	case BlockText, BlockThinking:
		p.Text = &b.Text
	case BlockToolCall:
		p.FunctionCall = wireFunctionCall(b.ToolCall, p.FunctionCall)
	case BlockToolResult:
		p.FunctionResponse = wireFunctionResponse(b.ToolResult, p.FunctionResponse)
	case BlockMedia:
		p.InlineData = wireBlob(b.Media, p.InlineData)
	case BlockFile:
		p.FileData = wireFileData(b.File, p.FileData)
	case BlockCode:
		p.ExecutableCode = wireExecutableCode(b.Code, p.ExecutableCode)
	case BlockCodeResult:
		p.CodeExecutionResult = wireCodeExecutionResult(b.CodeResult, p.CodeExecutionResult)
	case BlockServerToolCall:
		p.ToolCall = wireToolCall(b.ServerToolCall, p.ToolCall)
	case BlockServerToolResult:
		p.ToolResponse = wireToolResponse(b.ServerToolResult, p.ToolResponse)
	case BlockSignature:
	default:
		return nil
	}
	return &p
}
