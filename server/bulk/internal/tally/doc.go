// Package tally counts what came of lines.
package tally
