// Package endpoint builds the addresses of the Gemini API and of Vertex AI: their hosts, the
// versions in their paths, and the place of the model name in a path.
package endpoint
