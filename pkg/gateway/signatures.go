package gateway

import (
	"strconv"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/optional"
	"github.com/gemwire/gemwire/pkg/gateway/internal/signature"
	"github.com/gemwire/gemwire/pkg/transform"
	toopenai "github.com/gemwire/gemwire/pkg/transform/openai"
)

// SignatureMode is how thought signatures of calls travel through clients. Whatever it is, all of them are read.
type SignatureMode string

// The ways of signatures.
const (
	// SignaturesInExtension puts them into extra_content.google, which some clients drop.
	SignaturesInExtension SignatureMode = "extension"
	// SignaturesInIDs puts them into the id of the call, which every client sends back.
	SignaturesInIDs SignatureMode = "id"
	// SignaturesInBoth does both. It is the default.
	SignaturesInBoth SignatureMode = "both"
)

func (m SignatureMode) valid() bool {
	return m == SignaturesInExtension || m == SignaturesInIDs || m == SignaturesInBoth
}

// signatureSettings say how signatures travel.
type signatureSettings struct {
	mode       SignatureMode
	idLength   int
	memorySize int
	memory     *signature.Memory
}

// The defaults of [WithSignatures] and [WithSignatureMemory]. An id is sent twice with each later request, with the call
// and with its result.
const (
	defaultIDLength        = 4 << 10
	defaultSignatureMemory = 32 << 20
)

func defaultSignatures() signatureSettings {
	return signatureSettings{mode: SignaturesInBoth, idLength: defaultIDLength, memorySize: defaultSignatureMemory}
}

// WithSignatures sets how thought signatures of calls travel. The default is [SignaturesInBoth].
//
// An id with a signature has letters, digits, _ and -, as far as Gemini's own has, and at most 4,096 of them; see
// [WithSignatureMemory] for longer ones.
func WithSignatures(mode SignatureMode) Option {
	return func(s *settings) { s.signatures.mode = mode }
}

// WithSignatureMemory sets how long an id may get by its signature, and how many bytes of signatures are kept that do not
// fit into one, or come in a stream when the id was sent. The defaults are 4,096 and 32 MiB. What was forgotten, or is kept
// by another replica, is replaced by the word that Google documents for calls without a signature.
func WithSignatureMemory(idLength, bytes int) Option {
	return func(s *settings) { s.signatures.idLength, s.signatures.memorySize = idLength, bytes }
}

// options returns those of the conversion of an answer.
func (s *signatureSettings) options(opts []toopenai.Option) []toopenai.Option {
	if s.mode == SignaturesInExtension {
		return opts
	}
	return append(opts, toopenai.WithSignatureCarrier(s.signedID))
}

// signedID returns the id of a call that carries its signature, or the name of it where it would be too long.
func (s *signatureSettings) signedID(id, signature string) string {
	if len(signature) < s.idLength { // or it is not worth a try
		if signed := toopenai.SignedID(id, signature); len(signed) <= s.idLength {
			return signed
		}
	}
	return s.memory.Keep(id, signature)
}

// recall gives the calls of a conversation the signatures that are kept for their ids. One that came back by itself counts
// more. It returns which of them are lost.
func (s *signatureSettings) recall(messages []openaiapi.ChatMessage) (lost transform.Report) {
	for i := range messages {
		m := &messages[i]
		if m.ToolCallID != nil {
			if bare, _, isNamed := s.memory.Find(*m.ToolCallID); isNamed {
				m.ToolCallID = &bare
			}
		}
		for j := range m.ToolCalls {
			if !s.recallCall(&m.ToolCalls[j]) {
				place := "/messages/" + strconv.Itoa(i) + "/tool_calls/" + strconv.Itoa(j) + "/id"
				lost.Add(transform.Lost, place, "the thought signature that it is the name of is kept no more, or by another replica")
			}
		}
	}
	return lost
}

// recallCall gives a call the signature that is kept for its id. It reports false where that is forgotten.
func (s *signatureSettings) recallCall(call *openaiapi.ToolCall) bool {
	bare, signature, isNamed := s.memory.Find(call.ID)
	call.ID = bare
	isBack := optional.Value(signatureOf(call.ExtraContent)) != ""
	if signature == "" || isBack {
		return isBack || !isNamed
	}
	if call.ExtraContent == nil {
		call.ExtraContent = &openaiapi.ExtraContent{}
	}
	if call.ExtraContent.Google == nil {
		call.ExtraContent.Google = &openaiapi.GoogleExtraContent{}
	}
	call.ExtraContent.Google.ThoughtSignature = &signature
	return true
}

// signatureOf returns the signature of an extension, nil for none.
func signatureOf(extra *openaiapi.ExtraContent) *string {
	switch {
	case extra == nil:
		return nil
	case extra.Google != nil && extra.Google.ThoughtSignature != nil:
		return extra.Google.ThoughtSignature
	case extra.Vertex != nil:
		return extra.Vertex.ThoughtSignature
	default:
		return nil
	}
}

// dropRepeated leaves the signatures out of the extensions of calls where ids alone are to carry them.
func (s *signatureSettings) dropRepeated(choices []openaiapi.Choice) {
	if s.mode != SignaturesInIDs {
		return
	}
	for i := range choices {
		calls := choices[i].Message.ToolCalls
		for j := range calls {
			if s.carries(calls[j].ID) {
				calls[j].ExtraContent = nil
			}
		}
	}
}
