package gateway

import "github.com/gemwire/gemwire/server/gateway/internal/signature"

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

// carrying returns what puts signatures in and finds them again, with an empty memory.
func (s *signatureSettings) carrying() *signature.Carrying {
	return &signature.Carrying{
		ByExtension: s.mode != SignaturesInIDs, ByID: s.mode != SignaturesInExtension, IDLength: s.idLength,
		Memory: signature.NewMemory(s.memorySize),
	}
}
