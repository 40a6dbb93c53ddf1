// Package record keeps values as JSON in a table of the engine, where they are changed by compare
// and set.
package record
