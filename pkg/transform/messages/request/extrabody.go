package request

import (
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/extrabody"
	"github.com/gemwire/gemwire/pkg/transform/internal/target"
	"github.com/go-json-experiment/json/jsontext"
)

// setExtraBody copies the members that are meant for Gemini alone: in extra_body.google, in google,
// or at the top level. It reports the other unknown members. It runs before all other settings,
// which do not replace what is set here.
func (c *converter) setExtraBody() error {
	if len(c.in.Unknown) == 0 {
		return nil
	}
	var nested, flat []extrabody.Member
	for name, value := range jsonx.Members(c.in.Unknown) {
		m := extrabody.Member{Pointer: jsonx.MemberPointer("", name), Name: name, Value: value}
		isObject := value.Kind() == jsontext.KindBeginObject
		switch {
		case value.Kind() == jsontext.KindNull:
		case name == "extra_body" && isObject:
			nested = append(c.inExtraBody(value), nested...)
		case name == "google" && isObject:
			nested = extrabody.Append(nested, m.Pointer, value)
		case extrabody.IsFlattened(&m):
			flat = append(flat, m)
		default:
			c.Report.Add(report.Lost, m.Pointer, target.DetailUnknown)
		}
	}
	return extrabody.TakeOver(&c.Request, append(nested, flat...),
		"not needed, because thoughts are in separate blocks, without tags")
}

// inExtraBody returns the members of extra_body.google, and reports the other members of
// extra_body.
func (c *converter) inExtraBody(object jsontext.Value) []extrabody.Member {
	const pointer = "/extra_body/google"
	c.LoseUnknown("/extra_body", object, "google")
	google := jsonx.Member(object, "google")
	switch google.Kind() {
	case jsontext.KindBeginObject:
		return extrabody.Append(nil, pointer, google)
	case jsontext.KindInvalid, jsontext.KindNull:
	default:
		c.Report.Add(report.Lost, pointer, "must be an object")
	}
	return nil
}
