package geminitest

import (
	"time"

	"github.com/gemwire/gemwire/pkg/fakegemini"
)

// Option sets an option of a [Server]. The options of package fakegemini are also options here.
type Option = fakegemini.Option

// BatchTrouble is a failure of a batch; for [WithBatchTrouble].
type BatchTrouble = fakegemini.BatchTrouble

// allFixturesUsed is the only option that only a test has.
type allFixturesUsed struct{ Option }

// WithAllFixturesUsed fails the test at its end for each fixture that has not given all of its
// answers.
func WithAllFixturesUsed() Option { return allFixturesUsed{fakegemini.WithScript()} }

// WithAPIKeys sets the valid keys. The server answers any other key like the real server, with "API
// key not valid" and HTTP status 400.
func WithAPIKeys(keys ...string) Option { return fakegemini.WithAPIKeys(keys...) }

// WithModels adds models: an invented name of a test, or a model that package models does not know
// yet. By default the server has Google's models at its time ([WithClock]).
func WithModels(ids ...string) Option { return fakegemini.WithModels(ids...) }

// WithClock sets the clock for looking models up: which models exist, which one answers to a name,
// and what it accepts.
func WithClock(now func() time.Time) Option { return fakegemini.WithClock(now) }

// WithoutValidation also answers requests that the real server refuses, if they can be decoded.
func WithoutValidation() Option { return fakegemini.WithoutValidation() }

// WithoutRequestLog stores no requests, because stored requests take memory. Use it for servers
// that run longer than a test. [Server.Requests] then returns none.
func WithoutRequestLog() Option { return fakegemini.WithoutRequestLog() }

// WithProcessingTime keeps each uploaded video in the state PROCESSING for a duration, in which
// requests cannot use it.
func WithProcessingTime(d time.Duration) Option { return fakegemini.WithProcessingTime(d) }

// WithBatchTime sets how long each batch takes: it is pending in the first half, and runs in the
// second.
func WithBatchTime(d time.Duration) Option { return fakegemini.WithBatchTime(d) }

// WithScript answers requests from fixtures.
func WithScript(fixtures ...*Fixture) Option { return fakegemini.WithScript(fixtures...) }

// WithScriptFile answers requests from the fixtures of a YAML or JSON file. docs/testing.md
// describes the format, and script.schema.json describes it for editors.
func WithScriptFile(path string) Option { return fakegemini.WithScriptFile(path) }

// WithStrict refuses requests to generate content that no fixture matches. It fails the test with
// the nearest fixture and what differs.
func WithStrict() Option { return fakegemini.WithStrict() }

// WithSeed sets the seed for chances and jitter: equal seeds give equal outcomes.
func WithSeed(seed uint64) Option { return fakegemini.WithSeed(seed) }

// WithReport sets a function for problems that a client cannot see. It gets a text for requests
// that a strict script or a cassette does not have, and for a cassette that cannot be written. By
// default these fail the test.
func WithReport(report func(text string)) Option { return fakegemini.WithReport(report) }

// WithBatchTrouble makes the first batches fail, one for each argument.
func WithBatchTrouble(troubles ...BatchTrouble) Option {
	return fakegemini.WithBatchTrouble(troubles...)
}
