package reasoning

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/chat/internal/callid"
)

// geminiFormat is OpenRouter's name of the form of Gemini's thought signatures. Other forms of
// Google's begin so.
const (
	geminiFormat = "google-gemini-v1"
	googlePrefix = "google-"
)

// Signature returns the thought signature that a piece holds, nil for one of another maker.
func Signature(piece *openaiapi.ReasoningDetail) *string {
	if !strings.HasPrefix(jsonx.Deref(piece.Format), googlePrefix) ||
		jsonx.Deref(piece.Data) == "" {
		return nil
	}
	return piece.Data
}

// Sign gives the thought signatures in pieces to the parts of a turn: to the call of the id that a
// piece names; of the others one to the first call and one to the last text, as far as these have
// none. callIDs are the ids of the calls among the parts, in their order. It returns the first
// signature that finds nothing to sign, nil for none: it stands alone.
func Sign(parts []geminiapi.Part, callIDs []string, pieces []openaiapi.ReasoningDetail,
	add func(kind report.Kind, pointer, detail string)) (alone *string) {
	var s *signed
	// A call's own signature goes before one that names no call.
	for _, isNamed := range []bool{true, false} {
		for i := range pieces {
			signature := Signature(&pieces[i])
			if signature == nil {
				continue
			}
			if s == nil {
				s = newSigned(parts, callIDs)
			}
			id := callid.WithoutSignature(jsonx.Deref(pieces[i].ID))
			part := s.calls[id]
			if isKnown := part != nil; isKnown != isNamed {
				continue
			}
			at := "/reasoning_details/" + strconv.Itoa(i)
			if !isNamed {
				part = s.unsigned(*signature)
			}
			if !isNamed && id != "" {
				add(report.Approximated, at+"/id", "the message has no call of that id")
			}
			if before := setSignature(part, &alone, signature); *before != *signature {
				add(report.Lost, at+"/data",
					"the message has another signature besides, which counts")
			}
		}
	}
	return alone
}

// setSignature sets the signature of a part, or where there is none the one that stands alone, and
// returns the one that counts.
func setSignature(part *geminiapi.Part, alone **string, signature *string) *string {
	to := alone
	if part != nil {
		to = &part.ThoughtSignature
	}
	if jsonx.Deref(*to) == "" {
		*to = signature
	}
	return *to
}

// signed finds what a signature is of.
type signed struct {
	calls      map[string]*geminiapi.Part // by id
	call, text *geminiapi.Part            // the first call and the last text
}

func newSigned(parts []geminiapi.Part, callIDs []string) *signed {
	s := &signed{calls: make(map[string]*geminiapi.Part, len(callIDs))}
	for i := range parts {
		p := &parts[i]
		switch {
		case p.FunctionCall != nil && len(callIDs) > 0:
			if _, isTaken := s.calls[callIDs[0]]; !isTaken && callIDs[0] != "" {
				s.calls[callIDs[0]] = p
			}
			callIDs = callIDs[1:]
			if s.call == nil {
				s.call = p
			}
		case p.Text != nil && !jsonx.Deref(p.Thought):
			s.text = p
		}
	}
	return s
}

// unsigned returns the part that a signature is of which names no call, nil where there is none:
// one that has it already or has none, if there is one.
func (s *signed) unsigned(signature string) *geminiapi.Part {
	for _, p := range []*geminiapi.Part{s.call, s.text} {
		if p == nil {
			continue
		}
		if has := jsonx.Deref(p.ThoughtSignature); has == "" || has == signature {
			return p
		}
	}
	return cmp.Or(s.call, s.text)
}
