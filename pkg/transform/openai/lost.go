package openai

import (
	"bytes"
	"strconv"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/optional"
	"github.com/gemwire/gemwire/internal/wirejson"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// What this file does happens only without extensions: what would be in them is reported as lost,
// except for the leaves that the completion shows in another form.

const (
	detailNoCounterpart = "chat_completions has no place for it"
	detailJoined        = "the texts are joined; where a part began, and what stood between them, is not told"
	detailNotEncoded    = "it is no JSON"
)

// loseResponse reports what the completion does not show of the response's own members.
func (c *converter) loseResponse(google *openaiapi.GoogleExtraContent) {
	rest := optional.Value(google.Response)
	rest.PromptFeedback = google.PromptFeedback
	rest.UsageMetadata = google.UsageMetadata
	rest.ModelStatus = google.ModelStatus
	loseRecord(&c.report, "", &rest, c.showsResponse)
}

func (c *converter) showsResponse(path []string, _ string) bool {
	switch path[0] {
	case "usageMetadata":
		return showsCount(c.in.Usage.Wire, path[1:])
	case "promptFeedback":
		return len(path) == 2 && c.refused && (path[1] == "blockReason" || path[1] == "blockReasonMessage")
	default:
		return false
	}
}

// loseMessage reports what the choice does not show of the candidate.
func (c *converter) loseMessage(candidate *normalize.Candidate, members []openaiapi.PartMember, a *annotations) {
	google := candidateExtension(candidate)
	c.loseBlocks(candidate.Blocks, members, a.at)
	c.loseCandidate(&google, a.at)
}

// loseCandidate reports what the choice does not show of the candidate's own members.
func (c *converter) loseCandidate(google *openaiapi.GoogleExtraContent, at int) {
	rest := optional.Value(google.Candidate)
	content := rest.Content
	rest.Content = nil
	rest.FinishMessage = google.FinishMessage
	rest.SafetyRatings = google.SafetyRatings
	rest.GroundingMetadata = google.GroundingMetadata
	rest.CitationMetadata = google.CitationMetadata
	rest.URLContextMetadata = google.URLContextMetadata
	rest.AvgLogprobs = google.AvgLogprobs
	rest.LogprobsResult = google.LogprobsResult
	shows := shownMembers{candidate: &rest}
	if rest.GroundingMetadata != nil {
		shows.counted = rest.GroundingMetadata.GroundingChunks
	}
	loseRecord(&c.report, pointer(at, ""), &rest, shows.shows)
	if content != nil {
		loseRecord(&c.report, pointer(at, "/content"), content, nothing)
	}
}

// loseBlocks reports what the message does not show of the content.
func (c *converter) loseBlocks(blocks []normalize.Block, members []openaiapi.PartMember, at int) {
	if isJoined(members) {
		c.report.Add(transform.Approximated, pointer(at, "/content/parts"), detailJoined)
	}
	for i := range blocks {
		if members[i] == "" {
			c.report.Add(transform.Lost, partPointer(at, blocks[i].Part, ""), detailNoCounterpart)
		} else {
			c.losePart(&c.report, partPointer(at, blocks[i].Part, ""), &blocks[i], members[i])
		}
	}
}

// isJoined reports whether the content is put together from several parts, or has lost its place
// behind a tool call.
func isJoined(members []openaiapi.PartMember) bool {
	before := false
	for _, member := range members {
		switch member {
		case openaiapi.PartMemberContent:
			if before {
				return true
			}
			before = true
		case openaiapi.PartMemberToolCalls:
			before = true
		}
	}
	return false
}

// losePart reports the members that a part, which stands at a pointer, has besides what the message shows
// of it.
func (o *options) losePart(report *transform.Report, at string, b *normalize.Block, member openaiapi.PartMember) {
	rest := optional.Value(partRest(b, member))
	if member != openaiapi.PartMemberToolCalls || !o.carries(b) {
		rest.ThoughtSignature = optional.Text(b.Signature)
	}
	call, data := optional.Value(rest.FunctionCall), optional.Value(rest.InlineData)
	rest.FunctionCall, rest.InlineData = nil, nil
	call.ID = nil // the call has it
	if member == openaiapi.PartMemberAudio {
		data.MIMEType = &b.Media.MIMEType
	}
	loseRecord(report, at, &rest, nothing)
	loseRecord(report, at+"/functionCall", &call, nothing)
	loseRecord(report, at+"/inlineData", &data, nothing)
}

// shown reports whether the completion shows a leaf of a record: a scalar that the names and
// positions of path lead to.
type shown func(path []string, value string) bool

// nothing is shown of a record that has no counterpart.
func nothing([]string, string) bool { return false }

// loseRecord reports, in a record that stands at a pointer, each topmost value of which nothing is shown.
// The record itself is never reported: other members of it may be shown.
func loseRecord(report *transform.Report, at string, record any, shows shown) {
	data, err := json.Marshal(record, wirejson.Canonical)
	if err != nil {
		report.Add(transform.Lost, at, detailNotEncoded)
		return
	}
	w := lossWalk{dec: jsontext.NewDecoder(bytes.NewReader(data)), at: jsontext.Pointer(at), shows: shows, report: report}
	w.value()
}

// lossWalk reads a record that was just written, so there are no errors to meet.
type lossWalk struct {
	dec    *jsontext.Decoder
	at     jsontext.Pointer
	path   []string
	shows  shown
	report *transform.Report
}

// value reads a value. lost and kept say whether there are leaves in it of either kind; an empty
// list or object has none.
func (w *lossWalk) value() (lost, kept bool) {
	switch w.dec.PeekKind() {
	case jsontext.KindBeginObject, jsontext.KindBeginArray:
		return w.children()
	case jsontext.KindNull:
		_ = w.dec.SkipValue()
		return false, false
	default:
		token, _ := w.dec.ReadToken()
		kept = w.shows(w.path, token.String())
		return !kept, kept
	}
}

// children reads a list or an object. The entries of its lost values make room for one of its own,
// which the caller adds, if all of it is lost.
func (w *lossWalk) children() (lost, kept bool) {
	opening, _ := w.dec.ReadToken()
	before := len(*w.report)
	for i := 0; w.more(); i++ {
		name := strconv.Itoa(i)
		if opening.Kind() == jsontext.KindBeginObject {
			token, _ := w.dec.ReadToken()
			name = token.String()
		}
		w.path = append(w.path, name)
		l, k := w.value()
		if l && !k {
			w.add()
		}
		lost, kept = lost || l, kept || k
		w.path = w.path[:len(w.path)-1]
	}
	_, _ = w.dec.ReadToken()
	if !kept && len(w.path) > 0 {
		*w.report = (*w.report)[:before]
	}
	return lost, kept
}

// more reports whether another element or member follows.
func (w *lossWalk) more() bool {
	switch w.dec.PeekKind() {
	case jsontext.KindEndObject, jsontext.KindEndArray, jsontext.KindInvalid:
		return false
	default:
		return true
	}
}

func (w *lossWalk) add() {
	at := w.at
	for _, name := range w.path {
		at = at.AppendToken(name)
	}
	w.report.Add(transform.Lost, string(at), detailNoCounterpart)
}

// position returns the number that an element of a path is; -1 when it is none.
func position(name string) int {
	i, err := strconv.Atoi(name)
	if err != nil {
		return -1
	}
	return i
}

// encoded returns the JSON of a record of the wire, nil for one that holds a free-form value that is not
// JSON.
func encoded(record any) jsontext.Value {
	data, err := json.Marshal(record, wirejson.Canonical)
	if err != nil {
		return nil
	}
	return data
}
