// Command prioritizer asks a language model in which order features should be built. It shows how a
// program gets a decision as a Go value and not as prose.
//
//	go run ./examples/prioritizer                      # two features that it has with it
//	go run ./examples/prioritizer -why plans/*.md      # your own product requirements (PRD)
//
// With a key in GEMINI_API_KEY it asks Gemini. Otherwise a fake server within the program answers.
//
// It describes the features in a prompt and leaves the call to an [AgentInvoker]. Package
// structured finds the answer's JSON anywhere in the text and decodes it. The agent is Gemini
// ([Gemini]), called by structured.Generate with the schema of [PriorityResult]. If the answer is
// wrong, Generate asks again.
package main
