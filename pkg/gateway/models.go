package gateway

import "net/http"

// modelsForm lists the models.
var modelsForm = openAIOperation("models")

// ListModels lists the models.
func (s openAIServer) ListModels(w http.ResponseWriter, r *http.Request) {
	s.serve(w, r, &modelsForm, func(*call) *Problem { return notServed(r) })
}

// RetrieveModel describes a model.
func (s openAIServer) RetrieveModel(w http.ResponseWriter, r *http.Request, _ string) {
	s.serve(w, r, &modelsForm, func(*call) *Problem { return notServed(r) })
}
