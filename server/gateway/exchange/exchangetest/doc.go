// Package exchangetest helps to test an observer of the gateway without a gateway.
// It converts requests and answers with the same packages as the gateway, so reports, ids and
// events are real. A scene defines Gemini's answers, and the test controls the time.
package exchangetest
