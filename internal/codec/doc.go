// Package codec has the code that all wires share. It reads and writes a payload, first with its
// generated codec. It makes the errors that say what is wrong with a payload and where, and finds
// the location of a failed check.
package codec
