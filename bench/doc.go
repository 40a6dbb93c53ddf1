// Package bench compares the calls of the client, and the conversion of streams, with what other
// libraries for Gemini do with the same bytes. It is a module of its own, so that none of them
// becomes a dependency of the project.
//
// All of it is in the tests: BenchmarkCall and BenchmarkStream measure, and report ratios that were
// taken in the same run, since times say more about a machine than about a library.
// TestEveryCallerHasTheSameAnswer and TestEveryToolYieldsTheSameText see to it that nobody is
// measured doing nothing.
package bench
