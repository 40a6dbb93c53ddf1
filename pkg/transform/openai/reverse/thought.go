package reverse

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/optional"
	"github.com/gemwire/gemwire/internal/rawobject"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/gemwire/gemwire/pkg/transform/openai/internal/callid"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// thoughtsOf returns the thoughts of a message or of a delta: reasoning_content, which DeepSeek began with, or OpenRouter's
// reasoning, or the texts in its reasoning_details. Servers that send several of them say the same in each.
func thoughtsOf(content *string, unknown jsontext.Value, report *reporter, at string) string {
	if unknown == nil {
		return optional.Value(content)
	}
	reasoning := stringOf(rawobject.Member(unknown, memberReasoning))
	details := detailsOf(unknown)
	inPieces := textOfDetails(details)
	thoughts := cmp.Or(optional.Value(content), reasoning, inPieces)
	if rawobject.Member(unknown, memberReasoning) != nil && reasoning != thoughts {
		report.lose(at+"/"+memberReasoning, rawobject.Member(unknown, memberReasoning).Kind() != jsontext.KindNull && reasoning != "" ||
			rawobject.Member(unknown, memberReasoning).Kind() == jsontext.KindBeginObject)
	}
	if details == nil {
		report.lose(at+"/"+memberReasoningDetails, isThere(rawobject.Member(unknown, memberReasoningDetails)))
	}
	for i := range details {
		reportDetail(&details[i], i, report, at+"/"+memberReasoningDetails+"/"+strconv.Itoa(i), inPieces == thoughts)
	}
	return thoughts
}

// textOfDetails returns the thoughts in pieces of reasoning_details.
func textOfDetails(details []openaiapi.ReasoningDetail) string {
	var out strings.Builder
	for i := range details {
		out.WriteString(optional.Value(details[i].Text))
		out.WriteString(optional.Value(details[i].Summary))
	}
	return out.String()
}

// isThere reports whether a value is neither absent nor null nor an empty list.
func isThere(value jsontext.Value) bool {
	return value != nil && value.Kind() != jsontext.KindNull && len(rawobject.Elements(value)) > 0
}

func stringOf(value jsontext.Value) string {
	var text string
	if value.Kind() != jsontext.KindString || json.Unmarshal(value, &text) != nil {
		return ""
	}
	return text
}

// detailsOf returns the pieces of reasoning_details, nil where there are none that can be understood.
func detailsOf(unknown jsontext.Value) []openaiapi.ReasoningDetail {
	value := rawobject.Member(unknown, memberReasoningDetails)
	if value == nil {
		return nil
	}
	var out []openaiapi.ReasoningDetail
	if json.Unmarshal(value, &out) != nil {
		return nil
	}
	return out
}

// reportDetail reports the members of a piece that are no thoughts, except what is used: Gemini's signatures, with the ids
// of their calls. Those of other makers Gemini would refuse.
func reportDetail(piece *openaiapi.ReasoningDetail, position int, report *reporter, at string, isShown bool) {
	signs := signatureOf(piece) != nil
	report.lose(at+"/text", piece.Text != nil && !isShown)
	report.lose(at+"/summary", piece.Summary != nil && !isShown)
	report.lose(at+"/signature", piece.Signature != nil)
	report.lose(at+"/data", piece.Data != nil && !signs)
	for _, described := range []struct {
		name    string
		present bool
	}{
		{"/type", piece.Type != ""},
		{"/format", piece.Format != nil},
		{"/id", piece.ID != nil && !signs},
		{"/index", piece.Index != nil && *piece.Index != position},
	} {
		if described.present {
			report.add(transform.Approximated, at+described.name, "describes the thoughts; Gemini has their text alone")
		}
	}
	report.loseUnknown(at, piece.Unknown)
}

// signatureOf returns the thought signature that a piece holds, nil for one of another maker.
func signatureOf(piece *openaiapi.ReasoningDetail) *string {
	if optional.Value(piece.Format) != "google-gemini-v1" || optional.Value(piece.Data) == "" {
		return nil
	}
	return piece.Data
}

// signByDetails gives the signatures of Gemini's that reasoning_details hold to the calls whose ids they name, or to the
// first call or the text.
func (t *turn) signByDetails(unknown jsontext.Value) {
	if unknown == nil {
		return
	}
	details := detailsOf(unknown)
	for i := range details {
		if signature := signatureOf(&details[i]); signature != nil {
			t.sign(signature, callid.WithoutSignature(optional.Value(details[i].ID)), t.at+"/"+memberReasoningDetails+"/"+strconv.Itoa(i))
		}
	}
}

func (t *turn) sign(signature *string, callID, at string) {
	part := t.callOf(callID)
	if part == nil {
		part = lastText(t.parts)
		if callID != "" {
			t.report.add(transform.Approximated, at+"/id", "the message has no call of that id")
		}
	}
	switch {
	case part == nil:
		t.parts = append(t.parts, geminiapi.Part{Text: new(""), ThoughtSignature: signature})
	case part.ThoughtSignature == nil:
		part.ThoughtSignature = signature
	default:
		t.report.differs(at+"/data", *signature, *part.ThoughtSignature)
	}
}

// callOf returns the part of the call of an id, the first call for "", nil for none.
func (t *turn) callOf(id string) *geminiapi.Part {
	for i := range t.parts {
		if call := t.parts[i].FunctionCall; call != nil && (id == "" || optional.Value(call.ID) == id) {
			return &t.parts[i]
		}
	}
	return nil
}
