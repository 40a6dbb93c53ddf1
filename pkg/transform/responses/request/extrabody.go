package request

import (
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/extrabody"
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
	return extrabody.TakeOver(&c.Request, members, "not needed, because thoughts are in reasoning items, without tags")
}

// UnknownMembers returns the names of a request's unknown members that the conversion cannot use.
func UnknownMembers(unknown jsontext.Value) []string {
	var names []string
	for name, value := range jsonx.Members(unknown) {
		isTaken := name == "google" && value.Kind() == jsontext.KindBeginObject ||
			extrabody.IsFlattened(&extrabody.Member{Name: name})
		if !isTaken && value.Kind() != jsontext.KindNull {
			names = append(names, name)
		}
	}
	return names
}

// googleMembers returns the members for Gemini alone. Members of extra_body.google come first and
// take precedence. It reports the other unknown members.
func (c *converter) googleMembers() ([]extrabody.Member, error) {
	var out, flat []extrabody.Member
	if extra := c.in.ExtraBody; extra != nil {
		c.LoseUnknown("/extra_body", extra.Unknown)
		if extra.Google != nil {
			data, err := json.Marshal(extra.Google, jsonx.Canonical)
			if err != nil {
				return nil, refuse("/extra_body/google", "not JSON")
			}
			out = extrabody.Append(nil, "/extra_body/google", data)
		}
	}
	for name, value := range jsonx.Members(c.in.Unknown) {
		m := extrabody.Member{Pointer: jsonx.MemberPointer("", name), Name: name, Value: value}
		switch {
		case value.Kind() == jsontext.KindNull:
		case name == "google" && value.Kind() == jsontext.KindBeginObject:
			out = extrabody.Append(out, m.Pointer, value)
		case extrabody.IsFlattened(&m):
			flat = append(flat, m)
		default:
			c.Report.Add(report.Lost, m.Pointer, target.DetailUnknown)
		}
	}
	return append(out, flat...), nil
}
