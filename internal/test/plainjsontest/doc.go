// Package plainjsontest builds what tests of generated codecs need: JSON documents for wire types,
// by reflection, good and bad ones.
package plainjsontest
