package normalize

import (
	"strconv"
	"sync"
	"unicode/utf8"

	"github.com/gemwire/gemwire/internal/structvalidator"
	"github.com/gemwire/gemwire/pkg/validation"
	"github.com/go-json-experiment/json/jsontext"
)

//go:generate go run ../../tools/codecgen check .:Response ../../gen/geminiapi

// Validate checks the invariants that this package promises: each block holds exactly what its type
// requires, spans lie within the text, supports refer to sources, arguments are JSON objects,
// nothing is negative, no two candidates have the same index, cached tokens do not exceed the
// input, and a finish reason fits the content. Results of [FromResponse] and [Parse] always pass.
// Use Validate for responses from elsewhere.
//
// The error lists all violations with their locations, as JSON pointers into the JSON form, and
// says what is expected. It never holds a value of the response.
func Validate(r *Response) error {
	if r != nil && isValidResponse(r) {
		return nil
	}
	return validator().Struct(r)
}

var validator = sync.OnceValue(func() *structvalidator.Validator {
	return structvalidator.New(
		structvalidator.WithPrefix("normalize"),
		structvalidator.WithRule(checkIndexes),
		structvalidator.WithRule(checkUsage),
		structvalidator.WithRule(checkCandidate),
		structvalidator.WithRule(checkBlock),
		structvalidator.WithRule(checkToolCall),
		structvalidator.WithRule(checkGrounding),
	)
})

// checkIndexes compares the candidates' indexes with each other.
func checkIndexes(r *Response) (out []validation.Violation) {
	if len(r.Candidates) < 2 {
		return nil
	}
	taken := make(map[int]bool, len(r.Candidates))
	for i := range r.Candidates {
		if index := r.Candidates[i].Index; taken[index] {
			out = append(out,
				violation("/candidates", i, "/index", "unique",
					"must differ from the index of every earlier candidate"))
		} else {
			taken[index] = true
		}
	}
	return out
}

// checkUsage compares the cached tokens with the input, which includes them.
func checkUsage(u *Usage) []validation.Violation {
	if u.CachedTokens <= max(u.InputTokens, 0) {
		return nil
	}
	want := "must be at most " + strconv.Itoa(u.InputTokens) +
		", the input_tokens, which include them"
	return []validation.Violation{{Pointer: "/cached_tokens", Rule: "within", Want: want}}
}

// checkCandidate compares the finish reason, the order of the blocks and the spans with each other.
func checkCandidate(c *Candidate) (out []validation.Violation) {
	if hasToolCall := c.hasToolCall(); c.FinishReason == FinishStop && hasToolCall {
		out = append(out,
			validation.Violation{Pointer: "/finish_reason", Rule: "tool_use",
				Want: "must be tool_use, because there is a tool call"})
	} else if c.FinishReason == FinishToolUse && !hasToolCall {
		out = append(out,
			validation.Violation{Pointer: "/finish_reason", Rule: "tool_use",
				Want: "must not be tool_use, because there is no tool call"})
	}
	for i := 1; i < len(c.Blocks); i++ {
		if c.Blocks[i].Part <= c.Blocks[i-1].Part {
			out = append(out,
				violation("/content_blocks", i, "/part", "ascending",
					"must be greater than the part of the previous block"))
		}
	}
	return append(out, checkSpans(c)...)
}

// checkSpans reads the text only if something refers to it.
func checkSpans(c *Candidate) (out []validation.Violation) {
	if len(c.Citations) == 0 && (c.Grounding == nil || len(c.Grounding.Supports) == 0) {
		return nil
	}
	length := utf8.RuneCountInString(c.Text())
	for i := range c.Citations {
		if c.Citations[i].End > length {
			out = append(out, beyondText("/citations", i, length))
		}
	}
	if c.Grounding == nil {
		return out
	}
	for i := range c.Grounding.Supports {
		if c.Grounding.Supports[i].End > length {
			out = append(out, beyondText("/grounding/supports", i, length))
		}
	}
	return out
}

func beyondText(list string, index, length int) validation.Violation {
	want := "must be at most " + strconv.Itoa(length) + ", the length of the text"
	return violation(list, index, "/end", "within_text", want)
}

func violation(list string, index int, member, rule, want string) validation.Violation {
	return validation.Violation{Pointer: list + "/" + strconv.Itoa(index) + member, Rule: rule,
		Want: want}
}

// blockMember is a member of [Block] that only blocks of some types have.
type blockMember struct {
	name  string
	types []BlockType
	// optional reports that the member may be absent in blocks of the type.
	optional bool
	isSet    func(*Block) bool
}

// blockMembers are the members that a block's type decides on. Part, Signature, Thought and Extra
// belong to every type.
var blockMembers = []blockMember{
	{"text", []BlockType{BlockText, BlockThinking}, true,
		func(b *Block) bool { return b.Text != "" }},
	{"data", []BlockType{BlockRedactedThinking}, false,
		func(b *Block) bool { return b.Data != "" }},
	{"tool_call", []BlockType{BlockToolCall}, false,
		func(b *Block) bool { return b.ToolCall != nil }},
	{"tool_result", []BlockType{BlockToolResult}, false,
		func(b *Block) bool { return b.ToolResult != nil }},
	{"media", []BlockType{BlockMedia}, false, func(b *Block) bool { return b.Media != nil }},
	{"file", []BlockType{BlockFile}, false, func(b *Block) bool { return b.File != nil }},
	{"code", []BlockType{BlockCode}, false, func(b *Block) bool { return b.Code != nil }},
	{"code_result", []BlockType{BlockCodeResult}, false,
		func(b *Block) bool { return b.CodeResult != nil }},
	{"server_tool_call", []BlockType{BlockServerToolCall}, false,
		func(b *Block) bool { return b.ServerToolCall != nil }},
	{"server_tool_result", []BlockType{BlockServerToolResult}, false,
		func(b *Block) bool { return b.ServerToolResult != nil }},
}

// blockNeeds are members that any block may have and these types require.
var blockNeeds = []blockMember{
	{"signature", []BlockType{BlockSignature}, false,
		func(b *Block) bool { return b.Signature != "" }},
	{"extra", []BlockType{BlockUnknown}, false, func(b *Block) bool { return b.Extra != nil }},
}

// checkBlock skips a block of an unknown type; another rule reports it.
func checkBlock(b *Block) (out []validation.Violation) {
	for i := range blockMembers {
		m := &blockMembers[i]
		switch set, belongs := m.isSet(b), m.belongsTo(b.Type); {
		case set && !belongs && b.Type.known():
			out = append(out,
				m.violation("absent", "must be absent in a block of type "+string(b.Type)))
		case !set && belongs && !m.optional:
			out = append(out,
				m.violation("required", "must be set in a block of type "+string(b.Type)))
		}
	}
	for i := range blockNeeds {
		if m := &blockNeeds[i]; m.belongsTo(b.Type) && !m.isSet(b) {
			out = append(out,
				m.violation("required", "must be set in a block of type "+string(b.Type)))
		}
	}
	return out
}

// known reports whether the tables contain the type.
func (t BlockType) known() bool {
	for _, table := range [][]blockMember{blockMembers, blockNeeds} {
		for i := range table {
			if table[i].belongsTo(t) {
				return true
			}
		}
	}
	return false
}

func (m *blockMember) belongsTo(typ BlockType) bool {
	for _, t := range m.types {
		if t == typ {
			return true
		}
	}
	return false
}

func (m *blockMember) violation(rule, want string) validation.Violation {
	return validation.Violation{Pointer: "/" + m.name, Rule: rule, Want: want}
}

// checkToolCall skips missing arguments; the struct tag reports them.
func checkToolCall(c *ToolCall) []validation.Violation {
	if c.Arguments == nil ||
		c.Arguments.Kind() == jsontext.KindBeginObject && c.Arguments.IsValid() {
		return nil
	}
	return []validation.Violation{{Pointer: "/arguments", Rule: "json_object",
		Want: "must be a JSON object"}}
}

// checkGrounding compares the supports with the sources that they refer to.
func checkGrounding(g *Grounding) (out []validation.Violation) {
	for i := range g.Supports {
		for j, source := range g.Supports[i].Sources {
			if source >= len(g.Sources) {
				list := "/supports/" + strconv.Itoa(i) + "/sources"
				out = append(out,
					violation(list, j, "", "within_sources",
						"must be less than "+strconv.Itoa(len(g.Sources))+
							", the number of sources"))
			}
		}
		if n := len(g.Supports[i].Confidence); n != 0 && n != len(g.Supports[i].Sources) {
			out = append(out,
				violation("/supports", i, "/confidence", "one_each",
					"must have one score for each source, or none"))
		}
	}
	return out
}
