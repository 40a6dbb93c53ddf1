// Package codec decodes and encodes payloads for all APIs that gemwire supports. It tries the
// generated codec of a type first. Its errors say what is wrong in a payload, and where. It also
// finds the location of a failed check.
package codec
