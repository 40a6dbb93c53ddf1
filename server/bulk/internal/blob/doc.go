// Package blob keeps bytes of any length in pieces, each a message of a subject that ends in its
// number. Nothing is ever in memory but a piece.
package blob
