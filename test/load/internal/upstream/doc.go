// Package upstream is a server that answers as Gemini does, from memory and as fast as it can, so
// that a measurement sees what stands in front of it. It understands of HTTP and of a request no
// more than it has to.
//
// What it answers stands in the prompt: words such as "size=1024", of which [Wanted] has the list.
// The text of each chunk begins with its number in brackets, as in "[17] lorem", by which a client
// finds what was lost.
package upstream
