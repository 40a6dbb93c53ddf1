// Package record stores values as JSON in a table of the engine, and changes them by
// compare-and-set.
package record
