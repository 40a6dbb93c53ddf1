package problem

import (
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/gemwire/gemwire/server/internal/unknownmember"
)

// UnknownEmbeddingMember refuses an unknown member of an embedding request.
func UnknownEmbeddingMember(in *openaiapi.CreateEmbeddingRequest) *Problem {
	if m := unknownmember.InEmbedding(in); m != nil {
		return Unreadable(m)
	}
	return nil
}

// UnknownMember is the problem of an unknown member. It suggests a known member with a similar
// name.
func UnknownMember(name string, known []string) *Problem {
	return Unreadable(transform.NewMemberError(name, known))
}
