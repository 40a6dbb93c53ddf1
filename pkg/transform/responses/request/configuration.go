package request

import (
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/conversation"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// configuration is what items of type configuration_update set from where they stand: how much the
// model thinks, and the form of the answer. Each holds until a later item sets it again, so that
// the last one counts, also before the member of the request (openai for Node 7,
// ResponseConfigurationUpdateItemParam).
type configuration struct {
	effort   *openaiapi.ReasoningEffort // nil for none
	effortAt string
	format   *openaiapi.ResponseTextFormat // nil for none
	formatAt string
}

const detailReplaced = "a later configuration_update counts"

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

// readUpdate decodes a member of an item that changes settings. It is free-form in the description,
// as items of other types have texts under its name.
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

// loseReplaced reports a setting, if there is one, that another one replaces.
func (b *history) loseReplaced(isSet bool, pointer string) {
	if isSet {
		b.Report.Add(report.Approximated, pointer, detailReplaced)
	}
}

// form returns the form that the answer is to have, nil for none, and where it is asked for.
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

// effort returns how much the model is to think, nil where nothing says so, and where it is asked
// for.
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
