package gateway

import "net/http"

// embeddingsForm turns texts into vectors.
var embeddingsForm = form{name: "embeddings", appendProblem: appendOpenAIProblem}

// CreateEmbedding turns texts into vectors.
func (s openAIServer) CreateEmbedding(w http.ResponseWriter, r *http.Request) {
	s.serve(w, r, &embeddingsForm, func(*call) *Problem { return notServed(r) })
}
