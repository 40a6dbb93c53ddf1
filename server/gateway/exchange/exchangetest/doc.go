// Package exchangetest tells an observer of exchanges as a gateway does, for tests of observers.
// Requests and answers are converted by the packages that a gateway uses, so that reports, ids and
// events are real; what Gemini answers is a scene, and time is whatever the test says.
package exchangetest
