// Package clients proves that the client libraries that Go programs use accept the chunk streams
// that the gemwire command writes, and end with the answer that the whole completion has.
//
// It is a module of its own, so that users of gemwire do not get these libraries. It holds tests
// only:
//
//   - rule_test.go names the rules of a stream, and wire_test.go checks them. Clients are lenient,
//     so acceptance by a client alone proves little.
//   - openaigo_test.go and goopenai_test.go drive the clients against a local server.
//   - broken_test.go breaks correct streams in every way that a rule names, and shows which of the
//     faults each client notices.
//   - converted_test.go converts the example streams of the repository, and the recorded streams if
//     they exist, and applies all of the above.
//
// With GEMWIRE_WORK set to a folder, the converted streams and a manifest of them stay there, for
// the tests in ../node.
package clients
