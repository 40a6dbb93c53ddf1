package interactions

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/internal/plainjson"
	wire "github.com/gemwire/gemwire/pkg/interactions"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/transform/interactions/internal/steps"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// googleMembers are the members of extra_content.google: what Gemini's answer has and an
// interaction does not. They have the names and the form of Gemini's format.
type googleMembers struct {
	responseID, modelVersion, createTime string

	finishReason  geminiapi.FinishReason
	finishMessage string
	safetyRatings []geminiapi.SafetyRating

	grounding *geminiapi.GroundingMetadata
	pages     *geminiapi.URLContextMetadata
	citations *geminiapi.CitationMetadata

	avgLogprobs *float64
	logprobs    *geminiapi.LogprobsResult

	promptFeedback *geminiapi.PromptFeedback
	usage          *geminiapi.UsageMetadata
	modelStatus    *geminiapi.ModelStatus

	// candidate and response are the other members of the candidate and of the response.
	candidate *geminiapi.Candidate
	response  *geminiapi.GenerateContentResponse
	// parts are the parts that no step shows completely.
	parts []keptPart
}

// keptPart is a part and its position in the content.
type keptPart struct {
	Index int             `json:"index"`
	Part  *geminiapi.Part `json:"part,omitzero"`
}

// memberWriter writes the members of an object.
type memberWriter struct {
	out []byte
	// values writes numbers and texts.
	values plainjson.Encoder
	// isBroken is true after a free-form value that is not JSON, which decoding never returns.
	isBroken bool
}

// write writes a member unless it is empty.
func (w *memberWriter) write(name string, isSet bool, value any) {
	if !isSet {
		return
	}
	encoded, err := json.Marshal(value, jsonx.Canonical, jsontext.AllowInvalidUTF8(true))
	if err != nil {
		w.isBroken = true
		return
	}
	w.out = append(w.begin(name, len(encoded)), encoded...)
}

// begin returns the object so far with the name of a member, and makes room for its value.
func (w *memberWriter) begin(name string, size int) []byte {
	out := w.out
	if out == nil {
		out = append(make([]byte, 0, len(extensionStart)+len(name)+size+8), extensionStart...)
	} else {
		out = append(out, ',')
	}
	return append(append(append(out, '"'), name...), `":`...)
}

// extensionStart and extensionEnd are around Google's members in unknown members.
const extensionStart, extensionEnd = `{"extra_content":{"google":{`, `}}}`

// extraContent returns an extension with Google's members as unknown members.
func extraContent(members string) jsontext.Value {
	return jsontext.Value(extensionStart + members + extensionEnd)
}

// extension returns the extension as unknown members, or nil.
func (g *googleMembers) extension() jsontext.Value {
	var w memberWriter
	w.write("responseId", g.responseID != "", g.responseID)
	w.write("modelVersion", g.modelVersion != "", g.modelVersion)
	w.write("createTime", g.createTime != "", g.createTime)
	w.write("finishReason", g.finishReason != "", g.finishReason)
	w.write("finishMessage", g.finishMessage != "", g.finishMessage)
	w.write("safetyRatings", g.safetyRatings != nil, g.safetyRatings)
	w.write("groundingMetadata", g.grounding != nil, g.grounding)
	w.write("urlContextMetadata", g.pages != nil, g.pages)
	w.write("citationMetadata", g.citations != nil, g.citations)
	if g.avgLogprobs != nil {
		w.out = w.values.Float64(w.begin("avgLogprobs", 32), *g.avgLogprobs)
	}
	w.write("logprobsResult", g.logprobs != nil, g.logprobs)
	w.write("promptFeedback", g.promptFeedback != nil, g.promptFeedback)
	w.write("usageMetadata", g.usage != nil, g.usage)
	w.write("modelStatus", g.modelStatus != nil, g.modelStatus)
	w.write("candidate", g.candidate != nil, g.candidate)
	w.write("response", g.response != nil, g.response)
	w.write("parts", g.parts != nil, g.parts)
	if w.out == nil || w.isBroken || !w.values.Done() {
		return nil
	}
	return append(w.out, extensionEnd...)
}

// addCandidate adds what the interaction does not show of the candidate.
func (g *googleMembers) addCandidate(c *normalize.Candidate, out *end, groundingShown,
	pagesShown bool) {
	if !out.isExact {
		g.finishReason = c.NativeFinishReason
	}
	if !out.hasMessage {
		g.finishMessage = c.FinishMessage
	}
	g.safetyRatings = c.SafetyRatings
	if c.Grounding != nil && !groundingShown {
		g.grounding = c.Grounding.Wire
	}
	if c.Logprobs != nil {
		g.avgLogprobs, g.logprobs = c.Logprobs.Average, c.Logprobs.Wire
	}
	rest := geminiapi.Candidate{}
	if c.Extra != nil {
		rest = *c.Extra
		g.citations = rest.CitationMetadata
		rest.CitationMetadata = nil
		if out.continuation != nil {
			rest.ContinuationToken = nil
		}
	}
	if unknown := rest.URLContextMetadata; unknown != nil || !pagesShown {
		g.pages = &geminiapi.URLContextMetadata{URLMetadata: c.URLContext}
		if unknown != nil {
			g.pages.Unknown = unknown.Unknown
		}
	}
	rest.URLContextMetadata = nil
	if c.Role != "" && c.Role != modelRole {
		content := jsonx.Deref(rest.Content)
		content.Role = &c.Role
		rest.Content = &content
	}
	if c.Index != 0 {
		rest.Index = &c.Index
	}
	if !rest.IsEmpty() {
		g.candidate = new(rest)
	}
}

// modelRole is the author of nearly all content in answers.
const modelRole = "model"

// showsPages reports whether steps show all that metadata say about pages.
func (e *encoder) showsPages(pages []geminiapi.URLMetadata) bool {
	isDerived := e.tools.derived["url_context"]
	for i := range pages {
		p := &pages[i]
		isShown := isDerived || e.tools.says(jsonx.Deref(p.RetrievedURL)) &&
			e.tools.says(string(pageStatus(jsonx.Deref(p.URLRetrievalStatus))))
		if p.Unknown != nil || !isShown {
			return false
		}
	}
	return true
}

// addResponse adds what the interaction does not show of the response.
func (g *googleMembers) addResponse(in *normalize.Response, o *options, who *identity,
	areCountsChanged bool) {
	if in.ID != "" && who.madeOf != in.ID && !hasResponseID(jsonx.Deref(who.id), in.ID) {
		g.responseID = in.ID
	}
	if in.Model != "" && jsonx.Deref(who.model) != in.Model {
		g.modelVersion = in.Model
	}
	if in.CreateTime != "" && o.created != nil {
		g.createTime = in.CreateTime
	}
	g.promptFeedback = in.PromptFeedback
	g.usage = usageRest(in.Usage.Wire, areCountsChanged)
	if in.Extra == nil {
		return
	}
	g.modelStatus = in.Extra.ModelStatus
	rest := geminiapi.GenerateContentResponse{TurnToken: in.Extra.TurnToken,
		Unknown: withoutExtension(in.Extra.Unknown)}
	if !rest.IsEmpty() {
		g.response = new(rest)
	}
}

// hasResponseID reports whether the id of an interaction has that of its response.
func hasResponseID(id, responseID string) bool {
	got, ok := wire.ResponseID(id)
	return id == responseID || ok && got == responseID
}

// exactAnnotations returns the annotations of parts in the extension of Gemini's answer, which
// package reverse puts there if the metadata about sources do not have them as they were.
func exactAnnotations(unknown jsontext.Value) map[int][]interactionsapi.Annotation {
	if unknown == nil {
		return nil
	}
	members := jsonx.Member(unknown, "extraContent")
	if members.Kind() != jsontext.KindBeginObject {
		return nil
	}
	var list []struct {
		Part        int                          `json:"part"`
		Annotations []interactionsapi.Annotation `json:"annotations"`
	}
	value := jsonx.Member(members, "annotations")
	if value == nil || json.Unmarshal(value, &list) != nil {
		return nil
	}
	out := map[int][]interactionsapi.Annotation{}
	for _, of := range list {
		out[of.Part] = of.Annotations
	}
	return out
}

// withoutExtension returns unknown members without the extension, which the interaction shows.
func withoutExtension(unknown jsontext.Value) jsontext.Value {
	if exactAnnotations(unknown) == nil {
		return steps.WithoutExtension(unknown)
	}
	var rest jsontext.Value
	for name, value := range jsonx.Members(unknown) {
		if name != "extraContent" {
			rest = jsonx.MergeObjects(rest, jsonx.Object(name, value))
		}
	}
	return rest
}

// keptInteraction returns the members of an interaction in the extension of Gemini's answer, which
// package reverse puts there. Without any it returns nil.
func keptInteraction(unknown jsontext.Value) *interactionsapi.Interaction {
	members := steps.Extension(unknown)
	if members == nil {
		return nil
	}
	kept, err := wire.DecodeResponse(members)
	if err != nil {
		return nil
	}
	return kept
}

// restore gives an interaction the members of the extension. They are exact, so they replace those
// that were made of Gemini's members.
func restore(out, kept *interactionsapi.Interaction) {
	if kept == nil {
		return
	}
	made := *out
	*out = *kept
	out.ID, out.Steps = made.ID, made.Steps
	out.Model, out.Agent = made.Model, made.Agent
	out.Usage = restoredUsage(made.Usage, kept.Usage)
	if out.Status == "" {
		out.Status = made.Status
	}
	if out.Errors == nil && kept.Status == "" {
		out.Errors = made.Errors
	}
	replaceMissing(&out.Created, made.Created)
	replaceMissing(&out.Updated, made.Updated)
	replaceMissing(&out.ServiceTier, made.ServiceTier)
	replaceMissing(&out.Object, made.Object)
	replaceMissing(&out.ContinuationToken, made.ContinuationToken)
	replaceMissing(&out.PreviousInteractionID, made.PreviousInteractionID)
	out.Unknown = jsonx.MergeObjects(kept.Unknown, made.Unknown)
}

// restoredUsage returns counts with the members of the extension.
func restoredUsage(made, kept *interactionsapi.Usage) *interactionsapi.Usage {
	if made == nil || kept == nil {
		if kept != nil {
			return kept
		}
		return made
	}
	out := *kept
	replaceMissing(&out.TotalTokens, made.TotalTokens)
	replaceMissing(&out.TotalInputTokens, made.TotalInputTokens)
	replaceMissing(&out.TotalOutputTokens, made.TotalOutputTokens)
	replaceMissing(&out.TotalCachedTokens, made.TotalCachedTokens)
	replaceMissing(&out.TotalThoughtTokens, made.TotalThoughtTokens)
	replaceMissing(&out.TotalToolUseTokens, made.TotalToolUseTokens)
	replaceMissing(&out.InitialInputTokens, made.InitialInputTokens)
	replaceEmpty(&out.InputTokensByModality, made.InputTokensByModality)
	replaceEmpty(&out.OutputTokensByModality, made.OutputTokensByModality)
	replaceEmpty(&out.CachedTokensByModality, made.CachedTokensByModality)
	replaceEmpty(&out.ToolUseTokensByModality, made.ToolUseTokensByModality)
	return &out
}

func replaceMissing[T any](member **T, other *T) {
	if *member == nil {
		*member = other
	}
}

func replaceEmpty[T any](member *[]T, other []T) {
	if *member == nil {
		*member = other
	}
}
