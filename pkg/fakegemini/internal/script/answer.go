package script

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// UnmarshalJSONFrom reads an answer in any of its forms: a text, a list of blocks, or an object
// with blocks and settings for sending them.
func (a *Answer) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	switch dec.PeekKind() {
	case jsontext.KindString:
		a.Blocks = make([]Block, 1)
		return json.UnmarshalDecode(dec, &a.Blocks[0].Text)
	case jsontext.KindBeginArray:
		return json.UnmarshalDecode(dec, &a.Blocks)
	}
	type members Answer
	if err := json.UnmarshalDecode(dec, (*members)(a)); err != nil {
		return err
	}
	return a.checkPace()
}

// checkPace checks the settings for sending an answer.
func (a *Answer) checkPace() error {
	switch {
	case a.TokensPerSecond < 0:
		return errors.New("tokensPerSecond must not be negative")
	case a.Jitter < 0 || a.Jitter > 1:
		return errors.New("jitter must be between 0 and 1")
	case a.ChunkTokens < 0:
		return errors.New("chunkTokens must not be negative")
	}
	return nil
}

// maxCandidates is the maximum number of candidates of an answer; a request may ask for 8.
const maxCandidates = 8

var errNotOneBlock = errors.New("want one of text, json, thought, call, data, part, grounding, chunk, pause and fault")

// UnmarshalJSONFrom reads a block.
func (b *Block) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	type members Block
	if err := json.UnmarshalDecode(dec, (*members)(b)); err != nil {
		return err
	}
	return b.check()
}

func (b *Block) check() error {
	set := 0
	for _, isSet := range []bool{
		b.Text != nil, b.JSON != nil, b.Thought != nil, b.Call != nil, b.Data != nil, b.Part != nil,
		b.Grounding != nil,
		b.Chunk != nil, b.Pause != 0, b.Fault != nil,
	} {
		if isSet {
			set++
		}
	}
	switch {
	case b.Mistake != nil:
		return b.Mistake
	case set != 1:
		return errNotOneBlock
	case b.Call != nil && b.Call.Name == "":
		return errors.New("a call needs a name")
	case b.Chunk != nil && b.Chunk.Kind() != jsontext.KindBeginObject:
		return errors.New("a chunk must be an object")
	case b.Call != nil && b.Call.Args != nil && b.Call.Args.Kind() != jsontext.KindBeginObject:
		return errors.New("the args of a call must be an object")
	case b.Signature != nil && b.Text == nil && b.JSON == nil && b.Thought == nil &&
		b.Call == nil && b.Data == nil:
		return errors.New("only a text, json, thought, call or data may have a signature")
	case b.Candidate < 0 || b.Candidate >= maxCandidates:
		return fmt.Errorf("the index of a candidate must be from 0 to %d", maxCandidates-1)
	case b.Candidate > 0 && (b.Chunk != nil || b.Pause != 0 || b.Fault != nil):
		return errors.New("a chunk, a pause or a fault must not have a candidate")
	case b.Fault != nil:
		return b.Fault.Check()
	}
	return nil
}

// checkJSON returns why a block cannot be written as JSON, such as invalid arguments, and the
// location in the block. It does not check a chunk, which is sent unchanged, or the body of a
// fault, which may be anything.
func (b *Block) checkJSON() (pointer string, err error) {
	content := *b
	content.Chunk, content.Fault = nil, nil
	_, err = json.Marshal(&content)
	if semantic, ok := errors.AsType[*json.SemanticError](err); ok {
		pointer, err = string(semantic.JSONPointer), semantic.Err
	}
	if syntax, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		pointer, err = cmp.Or(pointer, string(syntax.JSONPointer)), syntax.Err
	}
	return pointer, err
}
