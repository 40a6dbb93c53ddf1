// Package responsestoretest checks that a response store fulfils the contract of package
// responsestore. It is for the tests of each store.
package responsestoretest
