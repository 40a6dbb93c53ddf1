// Command prioritizer is an example of a program that asks a language model for a decision and
// needs more than prose back: in which order features should be built.
//
//	go run ./examples/prioritizer                      # two features that it has with it
//	go run ./examples/prioritizer -why plans/*.md      # one's own, each a product requirements document (PRD)
//
// With a key in GEMINI_API_KEY a model of Google's is asked, else a fake server within the program.
//
// It describes the features in a prompt, leaves the call to an [AgentInvoker], and reads the answer
// with package structured, wherever in the answer the JSON stands. The agent is Gemini ([Gemini]),
// which is asked by structured.Generate: with the schema of [PriorityResult], and again when the
// answer is wrong.
package main
