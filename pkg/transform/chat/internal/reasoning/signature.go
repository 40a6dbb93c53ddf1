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

// geminiFormat is OpenRouter's name for the form of Gemini's thought signatures. It is also the
// prefix of Google's other forms.
const (
	geminiFormat = "google-gemini-v1"
	googlePrefix = "google-"
)

// Signature returns the thought signature of a piece, or nil if another provider made it.
func Signature(piece *openaiapi.ReasoningDetail) *string {
	if !strings.HasPrefix(jsonx.Deref(piece.Format), googlePrefix) ||
		jsonx.Deref(piece.Data) == "" {
		return nil
	}
	return piece.Data
}

// Sign assigns the thought signatures of pieces to the parts of a turn. A signature goes to the
// call whose id the piece names. Of the others, one goes to the first call and one to the last
// text, unless these are signed. callIDs are the ids of the calls among the parts, in order. Sign
// returns the first signature that it cannot assign, which becomes a part of its own, or nil.
func Sign(parts []geminiapi.Part, callIDs []string, pieces []openaiapi.ReasoningDetail,
	add func(kind report.Kind, pointer, detail string)) (alone *string) {
	var s *signed
	// A call's own signature takes precedence over a signature that names no call.
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
				add(report.Approximated, at+"/id", "the message has no call with that id")
			}
			if before := setSignature(part, &alone, signature); *before != *signature {
				add(report.Lost, at+"/data",
					"the message has another signature, which is used")
			}
		}
	}
	return alone
}

// setSignature sets the signature of a part. Without a part it sets the signature that stands
// alone. It returns the signature that counts.
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

// signed finds the part that a signature belongs to.
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

// unsigned returns the part for a signature that names no call. The part is unsigned, or has this
// signature already. It returns nil if no part matches.
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
