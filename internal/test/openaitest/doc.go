// Package openaitest has what the tests of the OpenAI wire and of its conversions share: payloads,
// ways to compare them, and clients' way of joining chunks.
package openaitest
