// Package genai proves that Google's own client for Go, google.golang.org/genai, works against
// gemwire emulate as against the real server. Only the base URL differs.
//
// It is a module of its own, so that users of gemwire do not get that client. It holds tests only.
// Each starts the command by itself (emulator_test.go). GEMWIRE_COMMAND names the command; without
// it the tests build it.
package genai
