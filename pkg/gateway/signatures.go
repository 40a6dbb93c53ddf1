package gateway

// SignatureMode is how thought signatures of calls travel through clients. All ways of reading them are always on.
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

type signatureSettings struct {
	mode SignatureMode
}

func defaultSignatures() signatureSettings { return signatureSettings{mode: SignaturesInBoth} }

// WithSignatures sets how thought signatures travel.
func WithSignatures(mode SignatureMode) Option {
	return func(s *settings) { s.signatures.mode = mode }
}
