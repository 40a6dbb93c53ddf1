// Package docreference writes the reference pages in docs/reference from the code: settings,
// commands, endpoints, headers, errors, metrics, the script format, and what conversions lose.
//
// The generator is a test, because it collects losses with the payloads of other tests. Without
// -update it fails for a page that is not current.
package docreference

//go:generate go test . -run TestReferencePagesAreCurrent -update
