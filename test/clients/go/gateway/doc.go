// Package gateway proves that the clients that Go programs have for OpenAI's API work against
// gemwire serve, and gives what its tests share to those of Google's client.
//
// Each test starts the command by itself, with a witness (../witness) before it. GEMWIRE_COMMAND
// and GEMWIRE_WITNESS name the programs; without them the tests build both.
package gateway
