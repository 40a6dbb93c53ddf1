// Package unknownmember finds members of requests for vectors that have no meaning. The gateway and
// the lines of bulk jobs refuse the same ones.
package unknownmember

import (
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/go-json-experiment/json/jsontext"
)

// InEmbedding returns the error for an unknown member of a request for vectors, nil for none.
func InEmbedding(in *openaiapi.CreateEmbeddingRequest) *transform.MemberError {
	for name, value := range jsonx.Members(in.Unknown) {
		if value.Kind() != jsontext.KindNull {
			return transform.NewMemberError(name, embeddingMembers)
		}
	}
	return nil
}

// embeddingMembers are the members of a request. It is never written to.
var embeddingMembers = []string{"dimensions", "encoding_format", "input", "model", "user"}
