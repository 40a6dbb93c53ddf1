package problem

import (
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/gemwire/gemwire/server/internal/unknownmember"
)

// UnknownEmbeddingMember refuses a member of a request for vectors that has no meaning.
func UnknownEmbeddingMember(in *openaiapi.CreateEmbeddingRequest) *Problem {
	if m := unknownmember.InEmbedding(in); m != nil {
		return Unreadable(m)
	}
	return nil
}

// UnknownMember is the problem of a member where only others are known. It names the one that may
// have been meant.
func UnknownMember(name string, known []string) *Problem {
	return Unreadable(transform.NewMemberError(name, known))
}
