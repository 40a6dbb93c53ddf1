// Package peers compares parts of this project with the libraries that one might use in their place.
// It is a module of its own, so that none of them becomes a dependency of the project.
//
// The one comparison so far is of framing: how a streamed Gemini answer is cut into events. Its table
// says which body each library fails on. The tests fail when the table is no longer true, in either
// direction; should a library one day pass everything, it can take the place of our own reader.
package peers
