// Package gateway proves that the Go clients of OpenAI's API work against gemwire serve. It shares
// its helpers with the tests of Google's client.
//
// Each test starts the command by itself, with a witness (../witness) before it. GEMWIRE_COMMAND
// and GEMWIRE_WITNESS name the programs; without them the tests build both.
package gateway
