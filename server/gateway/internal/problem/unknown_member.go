package problem

import (
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/server/internal/unknownmember"
	"github.com/go-json-experiment/json/jsontext"
)

// UnknownChatMember refuses a member of a request for a chat completion that has no meaning.
func UnknownChatMember(in *openaiapi.CreateChatCompletionRequest) *Problem {
	return unknown(unknownmember.InChat(in))
}

// UnknownEmbeddingMember does the same for a request for vectors.
func UnknownEmbeddingMember(in *openaiapi.CreateEmbeddingRequest) *Problem {
	return unknown(unknownmember.InEmbedding(in))
}

// MisnamedResponseMember refuses an unknown member of a request for a response that seems to mean
// another one.
func MisnamedResponseMember(members jsontext.Value) *Problem {
	return unknown(unknownmember.InResponse(members))
}

// UnknownMember is the problem of a member where only others are known. It names the one that may have been meant.
func UnknownMember(name string, known []string) *Problem {
	return unknown(unknownmember.Of(name, known))
}

// unknown is the problem of an unknown member, nil for none.
func unknown(m *unknownmember.Member) *Problem {
	if m == nil {
		return nil
	}
	return Invalid("unknown_parameter", m.Pointer(), m.Pointer()+": "+m.Reason())
}
