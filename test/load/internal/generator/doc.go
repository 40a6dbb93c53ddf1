// Package generator sends requests at a constant rate, whether or not earlier ones were answered,
// and measures each from the moment at which it was due. A client that waits for an answer before
// it asks again asks least when the server is slowest, and so hides what its users would see.
//
// It speaks HTTP by itself and allocates nothing for a request, as it shares the processors with
// what it measures.
package generator
