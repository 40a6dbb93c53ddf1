// Package blob keeps bytes of any length as messages of one subject, in pieces. Nothing is ever in memory but a piece.
package blob
