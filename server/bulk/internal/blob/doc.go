// Package blob stores data of any length in pieces. Each piece is a message of a subject that ends
// with its number. Only one piece at a time is in memory.
package blob
