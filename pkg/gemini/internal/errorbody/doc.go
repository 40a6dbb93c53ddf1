// Package errorbody reads the body of a reply that tells an error: the envelope of the API in all
// forms in which it was seen, and what stands in its place, such as the page of a proxy.
package errorbody
