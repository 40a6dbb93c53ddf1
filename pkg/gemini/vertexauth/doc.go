// Package vertexauth supplies a gemini.Client with access tokens for Vertex AI, by Application
// Default Credentials. It uses the file in GOOGLE_APPLICATION_CREDENTIALS, else the file that
// `gcloud auth application-default login` wrote, else the service account of the machine.
//
//	tokens, err := vertexauth.New()
//	if err != nil { ... }
//	client, err := gemini.NewClient(gemini.WithVertexAI("my-project", "europe-west4"), gemini.WithTokenSource(tokens))
//
// It is a separate package because it imports cloud.google.com/go/auth, which programs that use an
// API key do not need.
package vertexauth
