// Package openaitest provides payloads and comparisons for tests of the OpenAI types and
// conversions. It also joins chunks like clients do.
package openaitest
