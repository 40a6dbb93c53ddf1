// Package responsestoretest holds a store of responses to what package responsestore promises, for
// the tests of each store.
package responsestoretest
