package reverse

import (
	"cmp"
	"errors"
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/internal/option"
	"github.com/gemwire/gemwire/pkg/interactions"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/unshown"
	"github.com/gemwire/gemwire/pkg/wire"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// errNoInteraction is returned for a missing or an empty interaction, and errOldRevision for one of
// the revision before May 2026.
var (
	errNoInteraction = errors.New("interactions: reverse: there is no interaction")
	errOldRevision   = oldRevision("/outputs", "steps of the revision before May 2026")
)

// oldRevision returns an error for a value of the revision before May 2026.
func oldRevision(pointer, what string) error {
	return &wire.MalformedError{Wire: "interactions", Payload: "interaction", Pointer: pointer,
		Message: what, Err: interactions.ErrOldRevision}
}

// ToGemini converts an interaction to a Gemini response. The report lists what was added,
// approximated or lost, with JSON pointers into in.
//
// The error is an *[interactions.Error] for an interaction that failed without steps at Google, and
// for an error in place of an interaction. It wraps [interactions.ErrOldRevision] for an
// interaction with outputs in place of steps. [FromError] converts an error for a client. An
// interaction that a filter refused is not an error: it has a feedback about the prompt. The
// candidate of an interaction that has not ended has no finish reason. The result shares memory
// with in.
func ToGemini(in *interactionsapi.Interaction,
	opts ...Option) (*geminiapi.GenerateContentResponse, report.Report, error) {
	if err := refuse(in); err != nil {
		return nil, nil, err
	}
	a := answer{in: in}
	a.options = option.New[options](opts)
	a.begin()
	a.convert.Annotate = a.annotatePart
	parts := make([]geminiapi.Part, 0, len(in.Steps))
	for i := range in.Steps {
		parts = a.add(parts, &in.Steps[i], stepPointer(i))
	}
	parts = a.convert.End(parts)
	return a.response(parts), a.entries, nil
}

// refuse returns why an interaction is no answer, or nil.
func refuse(in *interactionsapi.Interaction) error {
	switch {
	case in == nil:
		return errNoInteraction
	case interactions.OldRevision(in):
		return errOldRevision
	case in.Status == "" && in.Steps == nil:
		if body := jsonx.Member(in.Unknown, "error"); body != nil {
			reported, err := interactions.DecodeErrorResponse(in.Unknown)
			if err == nil {
				return &interactions.Error{Response: *reported}
			}
		}
		return errNoInteraction
	default:
		return failed(in)
	}
}

func stepPointer(i int) string { return "/steps/" + strconv.Itoa(i) }

// answer converts an interaction without its steps, which a turn converts. A stream has one too:
// its interaction is what the events say without the steps.
type answer struct {
	turn
	in *interactionsapi.Interaction
	// rest is what the answer does not have of the interaction.
	rest interactionsapi.Interaction
	// sent is true if a stream has passed on parts before.
	sent bool
}

// annotatePart takes the annotations of a part of a whole answer.
func (a *answer) annotatePart(part int, text string, annotations []interactionsapi.Annotation,
	pointer string) {
	a.annotate(place{part: part, text: text}, annotations,
		func(i int) string { return pointer + "/" + strconv.Itoa(i) })
}

const modelRole = "model"

// response returns the answer with the parts.
func (a *answer) response(parts []geminiapi.Part) *geminiapi.GenerateContentResponse {
	a.rest = *a.in
	a.rest.Steps = nil
	made := &answerMemory{role: modelRole}
	out := &made.response
	a.identify(out, &made.id)
	a.count(out)
	isFailed := a.in.Status == interactionsapi.InteractionStatusFailed
	if isFailed && a.isBlocked() && !a.hasContent(parts) && !a.wasCandidate() {
		out.PromptFeedback = a.feedback()
		a.restStatus(ending{reason: geminiapi.FinishReasonOther})
	} else {
		a.candidate(made, parts)
		out.Candidates = made.candidates[:]
	}
	a.takeGoogle(out)
	a.extend(out)
	return out
}

// wasCandidate reports whether the interaction was made of an answer of Gemini that a filter ended.
// Of a prompt that a filter refused, the extension has no finish reason.
func (a *answer) wasCandidate() bool {
	google := jsonx.Member(jsonx.Member(a.in.Unknown, extraContentMember), googleMember)
	return jsonx.Member(google, "finishReason") != nil
}

// hasContent reports whether an answer has something to show.
func (a *answer) hasContent(parts []geminiapi.Part) bool { return a.sent || len(parts) > 0 }

// answerMemory is the memory of an answer, in one allocation.
type answerMemory struct {
	response   geminiapi.GenerateContentResponse
	candidates [1]geminiapi.Candidate
	content    geminiapi.Content
	id, role   string
	index      int
	reason     geminiapi.FinishReason
}

// candidate sets the candidate with the parts. That of an interaction that runs has no finish
// reason, and may have no content either: an answer without a candidate would be an error.
func (a *answer) candidate(made *answerMemory, parts []geminiapi.Part) {
	out := &made.candidates[0]
	out.Index = &made.index
	if len(parts) == 0 && a.sent {
		// in chats of @google/genai a chunk without a part invalidates the turn
		parts = []geminiapi.Part{{Text: new("")}}
	}
	if len(parts) > 0 {
		made.content = geminiapi.Content{Role: &made.role, Parts: parts}
		out.Content = &made.content
	}
	a.end(out, &made.reason)
	a.sources.addTo(out)
	a.rest.ContinuationToken = nil
}

// identify sets the id, the model and the time of an answer. room is memory for the id.
func (a *answer) identify(out *geminiapi.GenerateContentResponse, room *string) {
	id, model := jsonx.Deref(a.in.ID), cmp.Or(a.in.Model, (*string)(a.in.Agent))
	response, ok := interactions.ResponseID(id)
	if !ok {
		response = id
	}
	if *room = cmp.Or(a.id, response); *room != "" {
		out.ResponseID = room
	}
	out.ModelVersion = cmp.Or(jsonx.NonEmpty(a.model), model)
	out.CreateTime = a.in.Created
	if id == "" || id == jsonx.Deref(out.ResponseID) && (a.noExtension || isGoogles(id)) {
		a.rest.ID = nil
	}
	if jsonx.Deref(a.in.Model) == jsonx.Deref(out.ModelVersion) {
		a.rest.Model = nil
	}
	a.rest.Created = nil
	if jsonx.Deref(a.in.Updated) == jsonx.Deref(a.in.Created) {
		a.rest.Updated = nil
	}
	if jsonx.Deref(a.in.Object) == objectName {
		a.rest.Object = nil
	}
}

// isGoogles reports whether an id looks like Google's. Package interactions takes a response with
// such an id for an interaction with this id, and makes an id of any other.
func isGoogles(id string) bool { return strings.HasPrefix(id, "v1_") }

// objectName is the object of every interaction.
const objectName = "interaction"

// count sets the token counts and the tier of an answer.
func (a *answer) count(out *geminiapi.GenerateContentResponse) {
	out.UsageMetadata, a.rest.Usage = usage(a.in.Usage, &a.entries)
	if tier := a.in.ServiceTier; tier != nil {
		if out.UsageMetadata == nil {
			out.UsageMetadata = &geminiapi.UsageMetadata{}
		}
		out.UsageMetadata.ServiceTier = (*geminiapi.ServiceTier)(tier)
		a.rest.ServiceTier = nil
	}
}

// feedback returns why a prompt was refused.
func (a *answer) feedback() *geminiapi.PromptFeedback {
	return feedbackOf(firstMessage(a.in))
}

// feedbackOf returns the feedback about a refused prompt. A message that is one of Gemini's reasons
// is the reason.
func feedbackOf(message string) *geminiapi.PromptFeedback {
	word, text, _ := strings.Cut(message, ": ")
	if reason := geminiapi.BlockReason(word); reason.Valid() {
		return &geminiapi.PromptFeedback{BlockReason: &reason,
			BlockReasonMessage: jsonx.NonEmpty(text)}
	}
	return &geminiapi.PromptFeedback{BlockReason: new(geminiapi.BlockReasonOther),
		BlockReasonMessage: jsonx.NonEmpty(message)}
}

const (
	detailOtherID  = "the answer has the id of the response alone"
	detailOnlyHere = "only an interaction has it"
)

// extend adds the extension with what the answer does not have, or reports it.
func (a *answer) extend(out *geminiapi.GenerateContentResponse) {
	rest := &a.rest
	if a.noExtension {
		a.reportRestOf(rest)
		return
	}
	if a.sources.exact == nil && out.Unknown == nil { // as of most answers
		if extension, isPlain := plainExtension(rest); isPlain {
			out.Unknown = extension
			return
		}
	}
	others := members(rest)
	if others == nil { // a free-form value that is not JSON
		a.reportRestOf(rest)
		return
	}
	var extra jsontext.Value
	if string(others) != "{}" {
		extra = jsonx.Object(interactionsMember, others)
	}
	if a.sources.exact != nil {
		list, _ := json.Marshal(a.sources.exact, jsonx.Canonical, jsontext.AllowInvalidUTF8(true))
		extra = jsonx.MergeObjects(extra, jsonx.Object(annotationsMember, list))
	}
	if extra != nil {
		out.Unknown = jsonx.MergeObjects(out.Unknown, jsonx.Object(extensionMember, extra))
	}
}

// plainExtension returns the extension with the members of an interaction, or nil if it has no such
// members. isPlain is false if they need the slower way.
func plainExtension(in *interactionsapi.Interaction) (extension jsontext.Value, isPlain bool) {
	const start = `{"` + extensionMember + `":{"` + interactionsMember + `":`
	out, isPlain := in.AppendPlainJSON(append(make([]byte, 0, 256), start...))
	if !isPlain || string(out[len(start):]) == "{}" {
		return nil, isPlain
	}
	return append(out, "}}"...), true
}

// The extension of an answer has the members of the interaction, and the annotations that the
// grounding metadata do not have as they were.
const (
	extensionMember    = "extraContent"
	interactionsMember = "interactions"
	annotationsMember  = "annotations"
)

// reportRestOf reports what an answer without the extension does not have.
func (a *answer) reportRestOf(in *interactionsapi.Interaction) {
	rest := *in
	if rest.ID != nil {
		a.entries.Add(report.Approximated, "/id", detailOtherID)
	}
	if rest.Agent != nil && a.in.Model == nil && a.model == "" {
		a.entries.Add(report.Approximated, "/agent", "the answer names it as its model")
		rest.Agent = nil
	}
	if rest.Status != "" {
		a.entries.Add(report.Approximated, "/status", detailNearStatus)
	}
	if rest.Model != nil {
		a.entries.Add(report.Approximated, "/model", "replaced by the name that was asked for")
	}
	rest.ID, rest.Status, rest.Model = nil, "", nil
	if rest.IsEmpty() {
		return
	}
	unshown.Add(&a.entries, "", &rest, unshown.Nothing, detailOnlyHere)
}
