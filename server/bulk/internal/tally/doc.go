// Package tally counts the results of lines.
package tally
