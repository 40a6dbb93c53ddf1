package inspector

import (
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/pkg/gateway/exchange"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/go-json-experiment/json/jsontext"
)

// counterparts says where a member of one wire stands in the other: of requests for chat_completions and Gemini, and of
// their responses. "*" stands for a number that both sides share. What is below a member is not said: texts that both
// sides have lead there.
var counterparts = struct{ request, response [][2]string }{
	request: [][2]string{
		{"/messages", "/contents"},
		{"/messages", "/systemInstruction"},
		{"/tools", "/tools"},
		{"/functions", "/tools"},
		{"/web_search_options", "/tools"},
		{"/tool_choice", "/toolConfig"},
		{"/function_call", "/toolConfig"},
		{"/parallel_tool_calls", "/toolConfig"},
		{"/max_tokens", "/generationConfig/maxOutputTokens"},
		{"/max_completion_tokens", "/generationConfig/maxOutputTokens"},
		{"/temperature", "/generationConfig/temperature"},
		{"/top_p", "/generationConfig/topP"},
		{"/top_k", "/generationConfig/topK"},
		{"/n", "/generationConfig/candidateCount"},
		{"/seed", "/generationConfig/seed"},
		{"/random_seed", "/generationConfig/seed"},
		{"/stop", "/generationConfig/stopSequences"},
		{"/presence_penalty", "/generationConfig/presencePenalty"},
		{"/frequency_penalty", "/generationConfig/frequencyPenalty"},
		{"/logprobs", "/generationConfig/responseLogprobs"},
		{"/top_logprobs", "/generationConfig/logprobs"},
		{"/reasoning_effort", "/generationConfig/thinkingConfig"},
		{"/reasoning", "/generationConfig/thinkingConfig"},
		{"/thinking", "/generationConfig/thinkingConfig"},
		{"/response_format", "/generationConfig/responseJsonSchema"},
		{"/response_format", "/generationConfig/responseSchema"},
		{"/response_format", "/generationConfig/responseMimeType"},
		{"/modalities", "/generationConfig/responseModalities"},
		{"/audio", "/generationConfig/speechConfig"},
		{"/service_tier", "/serviceTier"},
		{"/metadata", "/labels"},
	},
	response: [][2]string{
		{"/candidates/*/content", "/choices/*/message"},
		{"/candidates/*/content", "/choices/*/delta"},
		{"/candidates/*/finishReason", "/choices/*/finish_reason"},
		{"/candidates/*/groundingMetadata", "/choices/*/message/annotations"},
		{"/candidates/*/groundingMetadata", "/choices/*/delta/annotations"},
		{"/candidates/*/citationMetadata", "/choices/*/message/annotations"},
		{"/candidates/*/logprobsResult", "/choices/*/logprobs"},
		{"/candidates/*/safetyRatings", "/choices/*"},
		{"/candidates/*", "/choices/*"},
		{"/promptFeedback", "/choices/0/message/refusal"},
		{"/promptFeedback", "/choices/0"},
		{"/usageMetadata", "/usage"},
		{"/responseId", "/id"},
		{"/createTime", "/created"},
		{"/modelVersion", "/model"},
	},
}

// places finds what reports name in the documents of an exchange. The zero value has read none yet.
type places struct {
	sides map[exchange.Side]*sides
}

// sides are the two documents of one conversion.
type sides struct {
	from, to *node
	spelling *transform.Spelling
	isList   bool // of chunks, in place of one document
}

// of returns the place of a finding in the document that was converted, and the nearest one in what it was converted to,
// nil where there is none.
func (p *places) of(r *record, f finding) (here, there *string) {
	s := p.documents(r, f.side)
	if s.from == nil {
		return nil, nil
	}
	written := s.spelling.Pointer(f.entry.Pointer)
	if s.from.at(written) != nil {
		here = &written
	}
	if s.to == nil {
		return here, nil
	}
	if pointer, ok := s.counterpart(written, f.side); ok {
		there = &pointer
	}
	return here, there
}

// documents returns those of a conversion, which are read once.
func (p *places) documents(r *record, side exchange.Side) *sides {
	if s := p.sides[side]; s != nil {
		return s
	}
	answer := r.answer()
	from, to := document(r.client.request, nil), document(answer.request, nil)
	s := &sides{}
	if side == exchange.Upstream {
		from, to = document(answer.response, answer.chunks), document(r.client.response, r.client.chunks)
		s.isList = len(answer.chunks) > 0
	}
	s.from, s.to, s.spelling = parse(from), parse(to), transform.SpellingOf([]byte(from))
	if p.sides == nil {
		p.sides = map[exchange.Side]*sides{}
	}
	p.sides[side] = s
	return s
}

// counterpart returns the pointer of what stands for a value on the other side. In a stream that is in the first chunk
// that has a text of it, else in the last that has such a member, as finish reasons and sources come late.
func (s *sides) counterpart(pointer string, side exchange.Side) (string, bool) {
	if !s.isList {
		there, _, ok := counterpart(s.from, s.to, pointer, side)
		return there, ok
	}
	index, rest, found := strings.Cut(strings.TrimPrefix(pointer, "/"), "/")
	if found {
		rest = "/" + rest
	}
	last := ""
	for _, chunk := range s.to.children {
		there, byText, ok := counterpart(s.from.child(index), chunk.value, rest, side)
		if ok {
			last = "/" + chunk.name + there
		}
		if byText {
			break
		}
	}
	return last, last != ""
}

// counterpart returns the smallest value that has a text of what is at a pointer or around it, else the member that the
// table has.
func counterpart(from, to *node, pointer string, side exchange.Side) (there string, byText, ok bool) {
	table := counterparts.request
	if side == exchange.Upstream {
		table = counterparts.response
	}
	deepest := -1
	for _, row := range table {
		numbers, depth, matches := match(row[0], pointer)
		base := fill(row[1], numbers)
		region := to.at(base)
		if !matches || region == nil || depth < deepest {
			continue
		}
		if inside, ok := region.withTextOf(from, pointer, depth); ok {
			return base + inside, true, true
		}
		if depth > deepest {
			there, deepest = base, depth
		}
	}
	return there, false, deepest >= 0
}

// match reports whether a pointer is that of a pattern or below it, the numbers that stand for its stars, and how many
// names the pattern has.
func match(pattern, pointer string) (numbers []string, depth int, ok bool) {
	names, tokens := strings.Split(pattern, "/")[1:], strings.Split(pointer, "/")[1:]
	if len(tokens) < len(names) {
		return nil, 0, false
	}
	for i, name := range names {
		_, err := strconv.Atoi(tokens[i])
		switch {
		case name == "*" && err == nil:
			numbers = append(numbers, tokens[i])
		case name != tokens[i]:
			return nil, 0, false
		}
	}
	return numbers, len(names), true
}

// fill returns a pattern with numbers in place of its stars.
func fill(pattern string, numbers []string) string {
	for _, number := range numbers {
		pattern = strings.Replace(pattern, "*", number, 1)
	}
	return pattern
}

// node is a JSON value. Only texts have content, as only they lead from one side to the other.
type node struct {
	text     string
	children []member
}

type member struct {
	name  string
	value *node
}

// parse reads a document, nil for what is no JSON.
func parse(text string) *node {
	if text == "" {
		return nil
	}
	decoder := jsontext.NewDecoder(strings.NewReader(text), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	value, err := read(decoder)
	if err != nil {
		return nil
	}
	return value
}

// read reads the next value of a document.
func read(decoder *jsontext.Decoder) (*node, error) {
	token, err := decoder.ReadToken()
	if err != nil {
		return nil, err
	}
	n := &node{}
	kind := token.Kind()
	switch kind {
	case jsontext.KindString:
		n.text = token.String()
	case jsontext.KindBeginObject, jsontext.KindBeginArray:
		for end := closing[kind]; decoder.PeekKind() != end; {
			m := member{name: strconv.Itoa(len(n.children))}
			if kind == jsontext.KindBeginObject {
				name, err := decoder.ReadToken()
				if err != nil {
					return nil, err
				}
				m.name = name.String()
			}
			if m.value, err = read(decoder); err != nil {
				return nil, err
			}
			n.children = append(n.children, m)
		}
		_, err = decoder.ReadToken()
	}
	return n, err
}

// closing is what ends an object and a list.
var closing = map[jsontext.Kind]jsontext.Kind{
	jsontext.KindBeginObject: jsontext.KindEndObject,
	jsontext.KindBeginArray:  jsontext.KindEndArray,
}

func (n *node) child(name string) *node {
	if n == nil {
		return nil
	}
	for _, m := range n.children {
		if m.name == name {
			return m.value
		}
	}
	return nil
}

// at returns the value of a pointer, nil where there is none.
func (n *node) at(pointer string) *node {
	for token := range jsontext.Pointer(pointer).Tokens() {
		n = n.child(token)
	}
	return n
}

// withTextOf returns the pointer of the value that has a text of what another document has at a pointer or around it,
// but not above so many names.
func (n *node) withTextOf(from *node, pointer string, depth int) (string, bool) {
	for {
		// A text alone does not lead anywhere when the whole member has it: what surrounds it is shown.
		if texts := from.at(pointer).texts(nil); len(texts) > 0 {
			if at, ok := n.find(texts, ""); ok {
				return at, true
			}
		}
		cut := strings.LastIndexByte(pointer, '/')
		if cut < 0 || strings.Count(pointer[:cut], "/") <= depth {
			return "", false
		}
		pointer = pointer[:cut]
	}
}

// shortestLead is the length of a text from which it leads from one side to the other: roles and types are shorter, and
// stand everywhere.
const shortestLead = 4

// texts appends the texts of a value which are long enough, at most some.
func (n *node) texts(texts []string) []string {
	const most = 64
	if n == nil || len(texts) >= most {
		return texts
	}
	if len(n.text) >= shortestLead && !everywhere[n.text] {
		texts = append(texts, n.text)
	}
	for _, m := range n.children {
		texts = m.value.texts(texts)
	}
	return texts
}

// everywhere are texts that stand in many places of a document.
var everywhere = map[string]bool{
	"user": true, "model": true, "system": true, "developer": true, "assistant": true, "tool": true, "text": true,
	"function": true, "object": true, "string": true, "number": true, "integer": true, "boolean": true, "array": true,
	"image_url": true, "auto": true,
}

// find returns the pointer of the object that has one of the texts as a member, the first in the document.
func (n *node) find(texts []string, pointer string) (string, bool) {
	for _, m := range n.children {
		if m.value.text != "" && hasSame(texts, m.value.text) {
			return pointer, true
		}
		escaped := strings.NewReplacer("~", "~0", "/", "~1").Replace(m.name)
		if at, ok := m.value.find(texts, pointer+"/"+escaped); ok {
			return at, true
		}
	}
	return "", false
}

// hasSame reports whether one of the texts is a text, or ends in it, as a data URL ends in its base64.
func hasSame(texts []string, text string) bool {
	const shortestEnd = 32
	for _, t := range texts {
		if t == text || len(text) >= shortestEnd && strings.HasSuffix(t, text) {
			return true
		}
	}
	return false
}
