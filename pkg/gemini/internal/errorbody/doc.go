// Package errorbody reads the body of an error reply: the envelope of the API in all known forms,
// and other bodies such as the page of a proxy.
package errorbody
