package request

import (
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/conversation"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// configuration holds the settings of items of type configuration_update: the reasoning effort and
// the format of the answer. Each applies from its item until a later item sets it again. So the
// last one counts, and takes precedence over the member of the request (openai for Node 7,
// ResponseConfigurationUpdateItemParam).
type configuration struct {
	effort   *openaiapi.ReasoningEffort // or nil
	effortAt string
	format   *openaiapi.ResponseTextFormat // or nil
	formatAt string
}

const detailReplaced = "a later configuration_update is used"

// configure reads an item that changes settings.
func (b *history) configure(item *openaiapi.ResponseItem, at conversation.Location) error {
	reasoning, err := readUpdate[openaiapi.ResponseReasoningUpdate](item.Reasoning,
		at.Pointer("/reasoning"))
	if err != nil {
		return err
	}
	b.loseUnknownIn(at, "/reasoning", reasoning.Unknown)
	if reasoning.Effort != nil {
		b.loseReplaced(b.update.effort != nil, b.update.effortAt)
		b.update.effort, b.update.effortAt = reasoning.Effort, at.Pointer("/reasoning/effort")
	}
	text, err := readUpdate[openaiapi.ResponseText](item.Text, at.Pointer("/text"))
	if err != nil {
		return err
	}
	b.loseUnknownIn(at, "/text", text.Unknown)
	if text.Verbosity != nil {
		b.Report.Add(report.Lost, at.Pointer("/text/verbosity"), detailVerbosity)
	}
	if text.Format != nil {
		b.loseReplaced(b.update.format != nil, b.update.formatAt)
		b.update.format, b.update.formatAt = text.Format, at.Pointer("/text/format")
	}
	return nil
}

// readUpdate decodes a member of an item that changes settings. The description does not define its
// type, because in items of other types the same member is a text.
func readUpdate[T openaiapi.ResponseReasoningUpdate | openaiapi.ResponseText](member jsontext.Value,
	pointer string) (out T, err error) {
	if jsonx.NonNull(member) == nil {
		return out, nil
	}
	if err := json.Unmarshal(member, &out, jsonx.ReadByMember); err != nil {
		return out, refuse(pointer, "must be an object with the settings of a request")
	}
	return out, nil
}

// loseReplaced reports a setting that a later one replaces, if it is set.
func (b *history) loseReplaced(isSet bool, pointer string) {
	if isSet {
		b.Report.Add(report.Approximated, pointer, detailReplaced)
	}
}

// form returns the requested format of the answer, or nil, and its pointer.
func (c *converter) form(text *openaiapi.ResponseText) (format *openaiapi.ResponseTextFormat,
	pointer string) {
	const own = "/text/format"
	update := &c.history.update
	if update.format == nil {
		return text.Format, own
	}
	c.history.loseReplaced(text.Format != nil, own)
	c.Origins = origins.WithFormat(update.formatAt)
	return update.format, update.formatAt
}

// effort returns the requested reasoning effort, or nil, and its pointer.
func (c *converter) effort(reasoning *openaiapi.ResponseReasoning) (effort *openaiapi.ReasoningEffort,
	pointer string) {
	const own = "/reasoning/effort"
	update := &c.history.update
	if update.effort == nil {
		return reasoning.Effort, own
	}
	c.history.loseReplaced(reasoning.Effort != nil, own)
	return update.effort, update.effortAt
}
