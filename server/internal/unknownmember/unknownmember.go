// Package unknownmember finds unknown members in embedding requests. It is a package of its own, so
// that the gateway and bulk jobs refuse the same members.
package unknownmember

import (
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/go-json-experiment/json/jsontext"
)

// InEmbedding returns an error for an unknown member of an embedding request, or nil.
func InEmbedding(in *openaiapi.CreateEmbeddingRequest) *transform.MemberError {
	for name, value := range jsonx.Members(in.Unknown) {
		if value.Kind() != jsontext.KindNull {
			return transform.NewMemberError(name, embeddingMembers)
		}
	}
	return nil
}

// embeddingMembers are the members of a request. It is read-only.
var embeddingMembers = []string{"dimensions", "encoding_format", "input", "model", "user"}
