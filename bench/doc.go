// Package bench compares the conversion of streams with what other libraries for Gemini do with the
// same bytes. It is a module of its own, so that none of them becomes a dependency of the project.
//
// All of it is in the tests: BenchmarkStream measures, and reports ratios that were taken in the same
// run, since times say more about a machine than about a library. TestEveryToolYieldsTheSameText
// sees to it that nobody is measured doing nothing.
package bench
