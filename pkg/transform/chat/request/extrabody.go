package request

import (
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/extrabody"
	"github.com/gemwire/gemwire/pkg/transform/internal/refusal"
	"github.com/gemwire/gemwire/pkg/transform/internal/target"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// setExtraBody copies the members that are meant for Gemini alone: in extra_body.google, in google,
// or at the top level. It runs before all other settings, which do not replace what is set here.
func (c *converter) setExtraBody() error {
	if c.in.ExtraBody == nil && len(c.in.Unknown) == 0 {
		return nil
	}
	members, err := c.googleMembers()
	if err != nil {
		return err
	}
	return extrabody.TakeOver(&c.Request, members,
		"not needed, because thoughts are in reasoning_content, without tags")
}

// googleMembers returns the members for Gemini alone. Members of extra_body.google come first and
// take precedence. It reports the other unknown members.
func (c *converter) googleMembers() ([]extrabody.Member, error) {
	out, err := c.nestedMembers()
	if err != nil {
		return nil, err
	}
	var flat []extrabody.Member
	for name, value := range jsonx.Members(c.in.Unknown) {
		m := extrabody.Member{Pointer: jsonx.MemberPointer("", name), Name: name, Value: value}
		switch {
		case value.Kind() == jsontext.KindNull:
		case name == memberGoogle && value.Kind() == jsontext.KindBeginObject:
			out = extrabody.Append(out, m.Pointer, value)
		case extrabody.IsFlattened(&m):
			flat = append(flat, m)
		case name == memberUsage:
			c.Report.Add(report.Approximated, m.Pointer, "not needed, because Gemini always sends token counts")
		default:
			c.Report.Add(report.Lost, m.Pointer, target.DetailUnknown)
		}
	}
	return append(out, flat...), nil
}

// UnknownMembers returns the names of the members that neither OpenAI's API nor [ToGemini] knows,
// in their order. ToGemini reports them as lost. Members that are null are not included. A server
// that refuses such members, as OpenAI does, can call it before the conversion.
func UnknownMembers(in *openaiapi.CreateChatCompletionRequest) []string {
	var names []string
	for name, value := range jsonx.Members(in.Unknown) {
		isTaken := extrabody.IsFlattened(&extrabody.Member{Name: name}) || name == memberUsage ||
			name == memberGoogle && value.Kind() == jsontext.KindBeginObject
		if !isTaken && value.Kind() != jsontext.KindNull {
			names = append(names, name)
		}
	}
	return names
}

// These are top-level members that the description does not have.
const (
	memberGoogle = "google" // what else is in extra_body
	memberUsage  = "usage"  // of OpenRouter's
)

func (c *converter) nestedMembers() ([]extrabody.Member, error) {
	if c.in.ExtraBody == nil {
		return nil, nil
	}
	c.LoseUnknown("/extra_body", c.in.ExtraBody.Unknown)
	google := c.in.ExtraBody.Google
	if google == nil {
		return nil, nil
	}
	data, err := json.Marshal(google, jsonx.Canonical)
	if err != nil {
		return nil, &refusal.Error{Pointer: "/extra_body/google", Problem: "not JSON", Err: err}
	}
	return extrabody.Append(nil, "/extra_body/google", data), nil
}
