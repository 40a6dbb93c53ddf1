package request

import (
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/optional"
	"github.com/gemwire/gemwire/internal/rawobject"
	"github.com/gemwire/gemwire/internal/wirejson"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// setExtraBody takes over the members that are meant for Gemini alone: in extra_body.google, in google, or at
// the top, where they come from clients that merge their parameter extra_body into the request. They are
// members of Gemini's request and of its generationConfig, in Gemini's own forms. It runs before all other
// settings, which do not replace what is set here.
func (c *converter) setExtraBody() error {
	if c.in.ExtraBody == nil && len(c.in.Unknown) == 0 {
		return nil
	}
	members, err := c.googleMembers()
	if err != nil {
		return err
	}
	var found geminiMembers
	for _, m := range members {
		if err := c.locate(m, &found); err != nil {
			return err
		}
	}
	return c.takeOver(&found)
}

// googleMember is a member for Gemini alone, from any of the three locations.
type googleMember struct {
	pointer string
	name    string
	value   jsontext.Value
}

// key returns the name without regard to case and underscores, as both APIs' spellings are in use.
func (m *googleMember) key() string {
	return rawobject.FoldName(m.name)
}

// googleMembers returns the members for Gemini alone, those of extra_body.google first, which count most, and
// reports the other unknown members.
func (c *converter) googleMembers() ([]googleMember, error) {
	out, err := c.nestedMembers()
	if err != nil {
		return nil, err
	}
	var flat []googleMember
	for name, value := range rawobject.Members(c.in.Unknown) {
		m := googleMember{below("", name), name, value}
		switch {
		case value.Kind() == jsontext.KindNull:
		case name == "google" && value.Kind() == jsontext.KindBeginObject:
			out = appendMembers(out, m.pointer, value)
		case flattened[m.key()]:
			flat = append(flat, m)
		case name == "usage": // of OpenRouter's
			c.report.Add(transform.Approximated, m.pointer, "Gemini always sends token counts")
		default:
			c.report.Add(transform.Lost, m.pointer, detailNobodyKnows)
		}
	}
	return append(out, flat...), nil
}

// nestedMembers returns those of extra_body.google.
func (c *converter) nestedMembers() ([]googleMember, error) {
	if c.in.ExtraBody == nil {
		return nil, nil
	}
	c.loseUnknown("/extra_body", c.in.ExtraBody.Unknown)
	google := c.in.ExtraBody.Google
	if google == nil {
		return nil, nil
	}
	data, err := json.Marshal(google, wirejson.Canonical)
	if err != nil {
		return nil, &Error{Pointer: "/extra_body/google", Problem: "not JSON", Err: err}
	}
	return appendMembers(nil, "/extra_body/google", data), nil
}

func appendMembers(list []googleMember, pointer string, of jsontext.Value) []googleMember {
	for name, value := range rawobject.Members(of) {
		if value.Kind() != jsontext.KindNull {
			list = append(list, googleMember{below(pointer, name), name, value})
		}
	}
	return list
}

// flattened are the members, by key, that are understood at the top of a request as well: those of
// extra_body.google except for tools, which OpenAI has too, and top_k, which many clients send. It is
// never written to.
var flattened = map[string]bool{
	"cachedcontent":               true,
	"mediaresolution":             true,
	"safetysettings":              true,
	"streamfunctioncallarguments": true,
	"thinkingconfig":              true,
	"thoughttagmarker":            true,
	"topk":                        true,
}

// geminiMembers collects members for Gemini's request, as JSON that gemini.DecodeRequest reads, so that all
// spellings and forms work here that work there.
type geminiMembers struct {
	at              map[string]string // pointers by key
	request, config jsontext.Value    // members of the request and of its generationConfig
}

// locate decides whether a member belongs to the request, to generationConfig or nowhere.
func (c *converter) locate(m googleMember, found *geminiMembers) error {
	key := m.key()
	if _, again := found.at[key]; again {
		c.report.Add(transform.Lost, m.pointer, "said twice; what stands deepest in extra_body counts")
		return nil
	}
	if found.at == nil {
		found.at = map[string]string{}
	}
	found.at[key] = m.pointer
	switch key {
	case "thoughttagmarker":
		c.report.Add(transform.Approximated, m.pointer, "thoughts are in reasoning_content, without tags")
		return nil
	case "streamfunctioncallarguments": // no member of Gemini's request or its generationConfig
		if err := json.Unmarshal(m.value, &c.streamArguments); err != nil {
			return &Error{Pointer: m.pointer, Problem: "has the wrong type", Err: err}
		}
		return nil
	case "mediaresolution":
		m.value = mediaResolution(m.value)
	}
	return c.assignByName(m, key, found)
}

// mediaResolution completes the short names that Google's endpoint takes, such as low.
func mediaResolution(value jsontext.Value) jsontext.Value {
	const prefix = "MEDIA_RESOLUTION_"
	name := strings.ToUpper(strings.Trim(string(value), `"`))
	if value.Kind() != jsontext.KindString || strings.HasPrefix(name, prefix) {
		return value
	}
	if long := geminiapi.MediaResolution(prefix + name); long.Valid() {
		return jsontext.Value(`"` + long + `"`)
	}
	return value
}

// assignByName decides by the name whether a member is one of generationConfig or of the request.
func (c *converter) assignByName(m googleMember, key string, found *geminiMembers) error {
	member := rawobject.Of(m.name, m.value)
	trial, err := m.decode(rawobject.Of("generationConfig", member))
	switch {
	case err != nil:
		return err
	case len(trial.GenerationConfig.Unknown) == 0:
		found.config = rawobject.Merge(found.config, member)
		return nil
	case !requestMembers[key]:
		delete(found.at, key)
		c.report.Add(transform.Lost, m.pointer, detailNobodyKnows)
		return nil
	}
	found.request = rawobject.Merge(found.request, member)
	_, err = m.decode(member)
	return err
}

// requestMembers are the members of Gemini's request, by key, that OpenAI's has in no other way. It is
// never written to.
var requestMembers = map[string]bool{
	"cachedcontent":     true,
	"continuationtoken": true,
	"labels":            true,
	"modelarmorconfig":  true,
	"outputconfig":      true,
	"safetysettings":    true,
	"servicetier":       true,
	"store":             true,
	"toolconfig":        true,
	"tools":             true,
}

// decode decodes a member in an object where it may belong. An unknown name is no error there.
func (m *googleMember) decode(object jsontext.Value) (*geminiapi.GenerateContentRequest, error) {
	out, err := gemini.DecodeRequest(object)
	if err != nil {
		return nil, &Error{Pointer: m.pointer, Problem: "not in the form that Gemini takes", Err: err}
	}
	return out, nil
}

// takeOver decodes the collected members into the result. The tools are set later, with the functions.
func (c *converter) takeOver(found *geminiMembers) error {
	c.extraBodyPointers = found.at
	if found.request == nil && found.config == nil {
		return nil
	}
	if found.config != nil {
		found.request = rawobject.Merge(found.request, rawobject.Of("generationConfig", found.config))
	}
	whole := googleMember{pointer: "/extra_body/google"}
	out, err := whole.decode(found.request)
	if err != nil {
		return err
	}
	out.Model = c.out.Model
	c.nativeTools, out.Tools = out.Tools, nil
	c.out = out
	c.limitThinking()
	return nil
}

// limitThinking brings a budget of extra_body that the model would refuse into the model's range: it was
// probably chosen for another model.
func (c *converter) limitThinking() {
	allowed := c.traits.Thinking.Budget
	asked := optional.Value(c.config().ThinkingConfig).ThinkingBudget
	if allowed == nil || asked == nil || *asked < 0 || allowed.Holds(*asked) {
		return
	}
	*asked = min(max(*asked, allowed.Min), allowed.Max)
	c.report.Add(transform.Approximated, c.extraBodyPointers["thinkingconfig"], "the nearest budget that the model takes")
}
