// Package vertexauth gives a gemini.Client the access tokens that Vertex AI is called with, by
// Application Default Credentials: the file that GOOGLE_APPLICATION_CREDENTIALS names, else what
// `gcloud auth application-default login` left behind, else the service account of the machine.
//
//	tokens, err := vertexauth.New()
//	if err != nil { ... }
//	client, err := gemini.NewClient(gemini.WithVertexAI("my-project", "europe-west4"), gemini.WithTokenSource(tokens))
//
// It is a package of its own because it stands on cloud.google.com/go/auth, which programs that
// call with an API key need not carry.
package vertexauth
