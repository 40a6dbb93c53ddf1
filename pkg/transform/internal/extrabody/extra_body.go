// Package extrabody takes over the members of a request of any form that are meant for Gemini
// alone: in extra_body.google, in google, or at the top, where they come from clients that merge
// their parameter extra_body into the request. They are members of Gemini's request and of its
// generationConfig, in Gemini's own forms. It runs before all other settings, which do not replace
// what is set here.
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

// TakeOver sets the members, of which the first of a name counts, and reports the others. It
// reports a tag for thoughts as approximated, with where a form has its thoughts instead. The error
// is a *[refusal.Error].
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

// Member is a member for Gemini alone, from any of the three locations.
type Member struct {
	// Pointer is where it is in the request.
	Pointer string
	// Name is how it is written there.
	Name string
	// Value is not null.
	Value jsontext.Value
}

// key returns the name without regard to case and underscores, as both APIs' spellings are in use.
func (m *Member) key() string { return jsonx.FoldName(m.Name) }

// Append appends the members of an object at a pointer, those that are not null.
func Append(list []Member, pointer string, of jsontext.Value) []Member {
	for name, value := range jsonx.Members(of) {
		if value.Kind() != jsontext.KindNull {
			list = append(list, Member{target.Below(pointer, name), name, value})
		}
	}
	return list
}

// IsFlattened reports whether a member is understood at the top of a request as well.
func IsFlattened(m *Member) bool { return flattened[m.key()] }

// flattened are the members, by key, that are understood at the top of a request as well: those of
// extra_body.google except for tools, which OpenAI has too, and top_k, which many clients send. It
// is never written to.
var flattened = map[string]bool{
	"cachedcontent":               true,
	"mediaresolution":             true,
	"safetysettings":              true,
	"streamfunctioncallarguments": true,
	"thinkingconfig":              true,
	"thoughttagmarker":            true,
	"topk":                        true,
}

// geminiMembers collects members for Gemini's request, as JSON that gemini.DecodeRequest reads, so
// that all spellings and forms work here that work there.
type geminiMembers struct {
	at              map[string]string // pointers by key
	request, config jsontext.Value    // members of the request and of its generationConfig
}

// locate decides whether a member belongs to the request, to generationConfig or nowhere.
func (r *reader) locate(m *Member, found *geminiMembers) error {
	key := m.key()
	if _, again := found.at[key]; again {
		r.Report.Add(report.Lost, m.Pointer, "said twice; what stands deepest in extra_body counts")
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
		r.Report.Add(report.Lost, m.Pointer, target.DetailNobodyKnows)
		return nil
	}
	found.request = jsonx.MergeObjects(found.request, member)
	_, err = m.decode(member)
	return err
}

// requestMembers are the members of Gemini's request, by key, that OpenAI's has in no other way. It
// is never written to.
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
func (m *Member) decode(object jsontext.Value) (*geminiapi.GenerateContentRequest, error) {
	out, err := gemini.DecodeRequest(object)
	if err != nil {
		return nil, &refusal.Error{Pointer: m.Pointer, Problem: "not in the form that Gemini takes",
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

// limitThinking brings a budget of extra_body that the model would refuse into the model's range:
// it was probably chosen for another model.
func (r *reader) limitThinking() {
	allowed := r.Traits.Thinking.Budget
	asked := jsonx.Deref(r.Config().ThinkingConfig).ThinkingBudget
	if allowed == nil || asked == nil || *asked < 0 || allowed.Holds(*asked) {
		return
	}
	*asked = min(max(*asked, allowed.Min), allowed.Max)
	r.Report.Add(report.Approximated, r.ExtraBody["thinkingconfig"],
		"the nearest budget that the model takes")
}
