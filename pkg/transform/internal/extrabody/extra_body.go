// Package extrabody reads the members of a request in any form that are meant for Gemini alone.
// They are in extra_body.google, in google, or at the top level, where some clients merge their
// parameter extra_body. They are members of Gemini's request or its generationConfig, in Gemini's
// own form. The package runs before all other settings, which do not replace what is set here.
package extrabody

import (
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/refusal"
	"github.com/gemwire/gemwire/pkg/transform/internal/target"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// TakeOver sets the members and reports the others. If a name appears twice, the first value
// counts. It reports a tag for thoughts as approximated; thoughts says where the form has its
// thoughts instead. The error is a *[refusal.Error].
func TakeOver(r *target.Request, members []Member, thoughts string) error {
	reader := reader{Request: r, thoughts: thoughts}
	var found geminiMembers
	for i := range members {
		if err := reader.locate(&members[i], &found); err != nil {
			return err
		}
	}
	return reader.takeOver(&found)
}

// reader reads the members of one request.
type reader struct {
	*target.Request
	thoughts string
}

// Member is a member for Gemini alone, from any of the three places.
type Member struct {
	// Pointer is the pointer of the member in the request.
	Pointer string
	// Name is the name as it is spelled in the request.
	Name string
	// Value is never null.
	Value jsontext.Value
}

// key returns the name without case and underscores, because both APIs' spellings are in use.
func (m *Member) key() string { return jsonx.FoldName(m.Name) }

// Append appends the members of the object at a pointer that are not null.
func Append(list []Member, pointer string, of jsontext.Value) []Member {
	for name, value := range jsonx.Members(of) {
		if value.Kind() != jsontext.KindNull {
			list = append(list, Member{jsonx.MemberPointer(pointer, name), name, value})
		}
	}
	return list
}

// IsFlattened reports whether a member is also accepted at the top level of a request.
func IsFlattened(m *Member) bool { return flattened[m.key()] }

// flattened lists the members, by key, that are also accepted at the top level of a request. These
// are the members of extra_body.google except tools, which OpenAI has too, and top_k, which many
// clients send. It is never modified.
var flattened = map[string]bool{
	"cachedcontent":               true,
	"mediaresolution":             true,
	"safetysettings":              true,
	"streamfunctioncallarguments": true,
	"thinkingconfig":              true,
	"thoughttagmarker":            true,
	"topk":                        true,
}

// geminiMembers collects members for Gemini's request as JSON that gemini.DecodeRequest reads. So
// all spellings and forms that work there work here.
type geminiMembers struct {
	at              map[string]string // pointers by key
	request, config jsontext.Value    // members of the request and of its generationConfig
}

// locate decides whether a member belongs to the request, to generationConfig or to neither.
func (r *reader) locate(m *Member, found *geminiMembers) error {
	key := m.key()
	if _, again := found.at[key]; again {
		r.Report.Add(report.Lost, m.Pointer, "it is set twice, and the most deeply nested value in extra_body is used")
		return nil
	}
	if found.at == nil {
		found.at = map[string]string{}
	}
	found.at[key] = m.Pointer
	switch key {
	case "thoughttagmarker":
		r.Report.Add(report.Approximated, m.Pointer, r.thoughts)
		return nil
	case "streamfunctioncallarguments": // no member of Gemini's request or its generationConfig
		if err := json.Unmarshal(m.Value, &r.StreamArguments); err != nil {
			return &refusal.Error{Pointer: m.Pointer, Problem: "has the wrong type", Err: err}
		}
		return nil
	case "mediaresolution":
		m.Value = mediaResolution(m.Value)
	}
	return r.assignByName(m, key, found)
}

// mediaResolution completes the short names that Google's endpoint accepts, such as low.
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

// assignByName assigns a member to generationConfig or to the request by its name.
func (r *reader) assignByName(m *Member, key string, found *geminiMembers) error {
	member := jsonx.Object(m.Name, m.Value)
	trial, err := m.decode(jsonx.Object("generationConfig", member))
	switch {
	case err != nil:
		return err
	case len(trial.GenerationConfig.Unknown) == 0:
		found.config = jsonx.MergeObjects(found.config, member)
		return nil
	case !requestMembers[key]:
		delete(found.at, key)
		r.Report.Add(report.Lost, m.Pointer, target.DetailUnknown)
		return nil
	}
	found.request = jsonx.MergeObjects(found.request, member)
	_, err = m.decode(member)
	return err
}

// requestMembers lists the members of Gemini's request, by key, that OpenAI's request cannot
// express otherwise. It is never modified.
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

// decode decodes a member in an object where it may belong. An unknown name is not an error there.
func (m *Member) decode(object jsontext.Value) (*geminiapi.GenerateContentRequest, error) {
	out, err := gemini.DecodeRequest(object)
	if err != nil {
		return nil, &refusal.Error{Pointer: m.Pointer, Problem: "not in a form that Gemini accepts",
			Err: err}
	}
	return out, nil
}

// takeOver decodes the collected members into the result. The tools are set later, with the
// functions.
func (r *reader) takeOver(found *geminiMembers) error {
	r.ExtraBody = found.at
	if found.request == nil && found.config == nil {
		return nil
	}
	if found.config != nil {
		found.request = jsonx.MergeObjects(found.request,
			jsonx.Object("generationConfig", found.config))
	}
	whole := Member{Pointer: "/extra_body/google"}
	out, err := whole.decode(found.request)
	if err != nil {
		return err
	}
	out.Model = r.Out.Model
	r.NativeTools, out.Tools = out.Tools, nil
	r.Out = out
	r.limitThinking()
	r.LimitLength(r.ExtraBody["maxoutputtokens"])
	return nil
}

// limitThinking limits a budget of extra_body to the model's range. A budget outside of the range
// was probably chosen for another model.
func (r *reader) limitThinking() {
	allowed := r.Traits.Thinking.Budget
	asked := jsonx.Deref(r.Config().ThinkingConfig).ThinkingBudget
	if allowed == nil || asked == nil || *asked < 0 || allowed.Holds(*asked) {
		return
	}
	*asked = min(max(*asked, allowed.Min), allowed.Max)
	r.Report.Add(report.Approximated, r.ExtraBody["thinkingconfig"],
		"replaced by the nearest budget that the model accepts")
}
