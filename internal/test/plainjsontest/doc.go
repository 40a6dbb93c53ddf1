// Package plainjsontest generates JSON documents for wire types by reflection, to test generated
// codecs with valid and invalid input.
package plainjsontest
