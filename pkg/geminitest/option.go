package geminitest

import (
	"time"

	"github.com/gemwire/gemwire/pkg/fakegemini"
)

// Option changes what a [Server] does. The options of package fakegemini are options here too.
type Option = fakegemini.Option

// BatchTrouble is what goes wrong with a batch; for [WithBatchTrouble].
type BatchTrouble = fakegemini.BatchTrouble

// allFixturesUsed is the one option that only a test has.
type allFixturesUsed struct{ Option }

// WithAllFixturesUsed fails the test at its end for each fixture that answered nothing, or less
// than all of its answers.
func WithAllFixturesUsed() Option { return allFixturesUsed{fakegemini.WithScript()} }

// WithAPIKeys has only these keys accepted; another one is answered as the real server does, "API
// key not valid", with HTTP status 400.
func WithAPIKeys(keys ...string) Option { return fakegemini.WithAPIKeys(keys...) }

// WithModels adds models to Google's, of which the server has those that are offered at its time
// ([WithClock]): an invented name of a test, or a model that package models does not know yet.
func WithModels(ids ...string) Option { return fakegemini.WithModels(ids...) }

// WithClock sets the time by which models are looked up: which there are, which one answers to a
// name, and what it takes.
func WithClock(now func() time.Time) Option { return fakegemini.WithClock(now) }

// WithoutValidation has requests answered that the real server refuses, as long as they can be
// decoded.
func WithoutValidation() Option { return fakegemini.WithoutValidation() }

// WithoutRequestLog keeps no requests, for a server that runs for longer than a test: each one that
// is kept takes memory. [Server.Requests] returns none then.
func WithoutRequestLog() Option { return fakegemini.WithoutRequestLog() }

// WithProcessingTime has each video that is uploaded stay in the state PROCESSING for a while, in
// which requests cannot use it.
func WithProcessingTime(d time.Duration) Option { return fakegemini.WithProcessingTime(d) }

// WithBatchTime has each batch take a while: it is pending in the first half of that, and runs in
// the second.
func WithBatchTime(d time.Duration) Option { return fakegemini.WithBatchTime(d) }

// WithScript has the server answer by fixtures.
func WithScript(fixtures ...*Fixture) Option { return fakegemini.WithScript(fixtures...) }

// WithScriptFile has the server answer by the fixtures of a file in YAML or JSON, as
// docs/testing.md describes it and script.schema.json for editors.
func WithScriptFile(path string) Option { return fakegemini.WithScriptFile(path) }

// WithStrict refuses requests to generate content that no fixture matches, and fails the test with
// the fixture that came nearest and what differed.
func WithStrict() Option { return fakegemini.WithStrict() }

// WithSeed sets what chances and jitter follow from: equal seeds, equal outcomes.
func WithSeed(seed uint64) Option { return fakegemini.WithSeed(seed) }

// WithReport has a function told what a client cannot know or would not say: requests that a strict
// script or a cassette does not have, in words, and a cassette that cannot be written. Without it,
// these fail the test.
func WithReport(report func(text string)) Option { return fakegemini.WithReport(report) }

// WithBatchTrouble has the first batches be in trouble, each in its own.
func WithBatchTrouble(troubles ...BatchTrouble) Option {
	return fakegemini.WithBatchTrouble(troubles...)
}
