// Package endpoint knows the addresses of the Gemini API and of Vertex AI: their hosts, the
// versions of their paths, and where in a path the name of a model stands.
package endpoint
