// Package codec is what all wires share: how a payload is read and written, first by its generated
// codec, the errors that say what is wrong with it and where, and the location of a check within
// it.
package codec
