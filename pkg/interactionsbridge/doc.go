// Package interactionsbridge lets programs that call generateContent use models and agents that
// exist only in Google's Interactions API, such as gemini-omni-1.1-flash and deep research.
//
//	client, err := gemini.NewClient(gemini.WithMiddleware(interactionsbridge.Middleware()))
//	...
//	response, err := client.GenerateContent(ctx, &geminiapi.GenerateContentRequest{
//		Model:    new("deep-research-preview-04-2026"),
//		Contents: []geminiapi.Content{gemini.UserText("What is new in Go?")},
//	})
//
// A request to generate content with such a model becomes a request of the Interactions API, and
// the answer or its stream becomes an answer of generateContent. All other requests pass unchanged.
// The conversions are those of package transform/interactions/reverse; [WithReport] shows what they
// lose.
//
// # Storage and background
//
// Google stores nothing of a model's answer, unless the request has store: true. Agents run in the
// background, which needs a stored interaction: the bridge creates one, reads it until it has
// ended, and deletes it. When the caller gives up, the bridge cancels it.
package interactionsbridge
