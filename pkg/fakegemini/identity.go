package fakegemini

import (
	"net/http"
	"strings"

	"github.com/gemwire/gemwire/pkg/fakegemini/internal/received"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/refusal"
	"github.com/gemwire/gemwire/pkg/gemini/models"
)

// identify returns the refusal of a caller without a valid credential. The Gemini API accepts a key
// or a token. Vertex AI requires a token for resources of a project, and accepts a key in express
// mode.
func (a *api) identify(r *http.Request) *refusal.Refusal {
	request, credential := received.From(r), received.CredentialOf(r)
	isProject := strings.HasPrefix(request.Resource, "projects/")
	switch {
	case a.isOfUpload(r):
		return nil
	case request.Backend == models.VertexAI && isProject && credential.HasKey &&
		!credential.HasToken:
		return refusal.KeyInPlaceOfToken(request.Version, request.Operation)
	case request.Backend == models.VertexAI && !credential.HasKey && !credential.HasToken:
		return refusal.MissingCredentials(request.Version, request.Operation)
	case !credential.HasKey && !credential.HasToken:
		return refusal.MissingKey()
	case credential.HasKey && len(a.settings.keys) > 0 && !credential.IsOneOf(a.settings.keys):
		return refusal.InvalidKey()
	default:
		return nil
	}
}

// isOfUpload reports whether a request is about an upload that has begun. Only the client that
// began it knows its address, so the address is a sufficient credential. Some clients send nothing
// else.
func (a *api) isOfUpload(r *http.Request) bool {
	_, ok := a.files.Upload(r.URL.Query().Get("upload_id"))
	return ok && strings.HasPrefix(r.URL.Path, "/upload/")
}
