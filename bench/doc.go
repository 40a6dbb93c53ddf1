// Package bench compares gemwire with other libraries for Gemini: the calls of the client, and the
// conversion of streams. All libraries process the same bytes. The package is a module of its own,
// so that none of the libraries becomes a dependency of the project.
//
// Everything is in the tests. BenchmarkCall and BenchmarkStream report ratios within one run, since
// times say more about a machine than about a library. TestEveryCallerHasTheSameAnswer and
// TestEveryToolYieldsTheSameText check that each measured library does its work.
package bench
