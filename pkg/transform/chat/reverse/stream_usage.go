package reverse

import (
	"strconv"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

const (
	// memberUsage is the member with token counts of servers that do not send them at the chunk's
	// top level. Moonshot sends it in a choice.
	memberUsage = "usage"
	// memberGroq is the record with the token counts of Groq's servers.
	memberGroq = "x_groq"
)

// takeUsage keeps the counts of a chunk. The last counts of a stream win.
func (s *Stream) takeUsage(c *chunk) {
	if c.Usage != nil {
		s.setUsage(c.Usage, "")
		return
	}
	if found := usageIn(jsonx.Member(c.Unknown, memberGroq)); found != nil {
		s.setUsage(found, "/"+memberGroq)
	}
	for i := range c.Choices {
		if found := usageIn(c.Choices[i].Unknown); found != nil {
			s.setUsage(found, choicePointer(i))
		}
	}
}

// setUsage sets the counts from a record of the chunk; "" is the chunk itself. Zero counts do not
// replace earlier counts, because some gateways end with zeros.
func (s *Stream) setUsage(counts *openaiapi.CompletionUsage, record string) {
	if s.usage != nil && isNothing(counts) {
		s.report.add(report.Approximated, record+usagePointer, "the counts of an earlier chunk are used instead")
		return
	}
	if s.usage != nil {
		s.addAt(s.usageAt, report.Approximated, usagePointer, "replaced by the counts of a later chunk")
	}
	s.usage, s.usageAt = counts, "/"+strconv.Itoa(s.pushed-1)+record
}

// usageIn returns the counts in a record's unknown member, or nil.
func usageIn(record jsontext.Value) *openaiapi.CompletionUsage {
	value := jsonx.Member(record, memberUsage)
	if value.Kind() != jsontext.KindBeginObject {
		return nil
	}
	var out openaiapi.CompletionUsage
	if json.Unmarshal(value, &out) != nil {
		return nil
	}
	return &out
}

// loseUnknownOfChunk reports the unknown members of a chunk, except counts that were used. Counts
// of the chunk itself take precedence over others.
func (s *Stream) loseUnknownOfChunk(c *chunk) {
	record := jsonx.Member(c.Unknown, memberGroq)
	taken := sourceListNames(c.Unknown)
	if c.Usage != nil || usageIn(record) == nil {
		s.report.loseUnknown("", c.Unknown, taken...)
		return
	}
	s.report.loseUnknown("", c.Unknown, append(taken, memberGroq)...)
	s.report.loseUnknown("/"+memberGroq, record, memberUsage)
}
