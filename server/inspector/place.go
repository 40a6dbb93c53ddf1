package inspector

import (
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/server/gateway/exchange"
)

// counterparts says where a member of one wire stands in the other: of requests for chat_completions, the Responses API or
// Messages and for Gemini, and of their responses. "*" stands for a number that both sides share. What is below a member is not said: texts that both
// sides have lead there.
var counterparts = struct{ request, response [][2]string }{
	request: [][2]string{
		{"/messages", "/contents"},
		{"/messages", "/systemInstruction"},
		{"/input", "/contents"},
		{"/input", "/systemInstruction"},
		{"/instructions", "/systemInstruction"},
		{"/system", "/systemInstruction"},
		{"/tools", "/tools"},
		{"/functions", "/tools"},
		{"/web_search_options", "/tools"},
		{"/tool_choice", "/toolConfig"},
		{"/function_call", "/toolConfig"},
		{"/parallel_tool_calls", "/toolConfig"},
		{"/max_tokens", "/generationConfig/maxOutputTokens"},
		{"/max_completion_tokens", "/generationConfig/maxOutputTokens"},
		{"/max_output_tokens", "/generationConfig/maxOutputTokens"},
		{"/temperature", "/generationConfig/temperature"},
		{"/top_p", "/generationConfig/topP"},
		{"/top_k", "/generationConfig/topK"},
		{"/n", "/generationConfig/candidateCount"},
		{"/seed", "/generationConfig/seed"},
		{"/random_seed", "/generationConfig/seed"},
		{"/stop", "/generationConfig/stopSequences"},
		{"/stop_sequences", "/generationConfig/stopSequences"},
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
		{"/text", "/generationConfig/responseJsonSchema"},
		{"/text", "/generationConfig/responseSchema"},
		{"/text", "/generationConfig/responseMimeType"},
		{"/output_config", "/generationConfig/responseJsonSchema"},
		{"/output_config", "/generationConfig/responseSchema"},
		{"/output_config", "/generationConfig/thinkingConfig"},
		{"/modalities", "/generationConfig/responseModalities"},
		{"/audio", "/generationConfig/speechConfig"},
		{"/service_tier", "/serviceTier"},
		{"/metadata", "/labels"},
	},
	response: [][2]string{
		{"/candidates/*/content", "/choices/*/message"},
		{"/candidates/*/content", "/choices/*/delta"},
		{"/candidates/0/content", "/output"},
		{"/candidates/0/content", "/response/output"},
		{"/candidates/0/content", "/item"},
		{"/candidates/0/content", "/content"},
		{"/candidates/0/content", "/content_block"},
		{"/candidates/0/content", "/delta"},
		{"/candidates/*/finishReason", "/choices/*/finish_reason"},
		{"/candidates/0/finishReason", "/status"},
		{"/candidates/0/finishReason", "/response/status"},
		{"/candidates/0/finishReason", "/stop_reason"},
		{"/candidates/0/finishReason", "/delta/stop_reason"},
		{"/candidates/*/groundingMetadata", "/choices/*/message/annotations"},
		{"/candidates/*/groundingMetadata", "/choices/*/delta/annotations"},
		{"/candidates/*/citationMetadata", "/choices/*/message/annotations"},
		{"/candidates/*/logprobsResult", "/choices/*/logprobs"},
		{"/candidates/*/safetyRatings", "/choices/*"},
		{"/candidates/*", "/choices/*"},
		{"/promptFeedback", "/choices/0/message/refusal"},
		{"/promptFeedback", "/choices/0"},
		{"/usageMetadata", "/usage"},
		{"/usageMetadata", "/response/usage"},
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
	table    [][2]string // of members that stand for one another
	from, to *node
	spelling *report.Spelling
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
	if pointer, ok := s.counterpart(written); ok {
		there = &pointer
	}
	return here, there
}

// documents returns those of a conversion, which are read once.
func (p *places) documents(r *record, side exchange.Side) *sides {
	if s := p.sides[side]; s != nil {
		return s
	}
	answer := r.answer().gemini()
	from, to := document(r.client.request, nil), document(answer.request, nil)
	s := &sides{table: counterparts.request}
	if side == exchange.Upstream {
		s.table = counterparts.response
		from, to = document(answer.response, answer.chunks), document(r.client.response, r.client.chunks)
		s.isList = len(answer.chunks) > 0
	}
	if r.isNative() { // and the server is OpenAI's
		s.table = reversed(s.table)
	}
	s.from, s.to, s.spelling = parse(from), parse(to), report.SpellingOf([]byte(from))
	if p.sides == nil {
		p.sides = map[exchange.Side]*sides{}
	}
	p.sides[side] = s
	return s
}

// counterpart returns the pointer of what stands for a value on the other side. In a stream that is in the first chunk
// that has a text of it, else in the last that has such a member, as finish reasons and sources come late.
func (s *sides) counterpart(pointer string) (string, bool) {
	if !s.isList {
		there, _, ok := counterpart(s.table, s.from, s.to, pointer)
		return there, ok
	}
	index, rest, found := strings.Cut(strings.TrimPrefix(pointer, "/"), "/")
	if found {
		rest = "/" + rest
	}
	last := ""
	for _, chunk := range s.to.children {
		there, byText, ok := counterpart(s.table, s.from.child(index), chunk.value, rest)
		if ok {
			last = "/" + chunk.name + there
		}
		if byText {
			break
		}
	}
	return last, last != ""
}

// reversed returns a table for the way back.
func reversed(table [][2]string) [][2]string {
	out := make([][2]string, len(table))
	for i, row := range table {
		out[i] = [2]string{row[1], row[0]}
	}
	return out
}

// counterpart returns the smallest value that has a text of what is at a pointer or around it, else the member that the
// table has.
func counterpart(table [][2]string, from, to *node, pointer string) (there string, byText, ok bool) {
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
