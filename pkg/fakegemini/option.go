package fakegemini

import (
	"time"

	"github.com/gemwire/gemwire/pkg/fakegemini/internal/cassette"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/received"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/script"
)

// Option changes what a [Handler] does.
type Option interface{ apply(*settings) }

type optionFunc func(*settings)

func (f optionFunc) apply(s *settings) { f(s) }

// settings is what the options of a handler say.
type settings struct {
	// keys are the keys that are valid; with none every key is.
	keys []received.Key
	// models are ids that are known besides Google's own.
	models []string
	// dropsRequests keeps none of them.
	dropsRequests bool
	// unchecked lets every request pass that can be decoded.
	unchecked bool
	// cassette is recorded or replayed in front of everything else, if isRecorded is set.
	cassette   cassette.Settings
	isRecorded bool
	// script is what the test has the server answer.
	script script.Script
	// report is the function of WithReport. If it is nil, nothing is reported.
	report func(text string)
	// processingTime is how long a video cannot be used, batchTime how long a batch takes.
	processingTime, batchTime time.Duration
	// troubles are those of the next batches.
	troubles *batchTroubles
	// now is the time by which models are looked up.
	now func() time.Time
	// err is what was wrong with an option.
	err error
}

// WithAPIKeys has only these keys accepted; another one is answered as the real server does, "API
// key not valid", with HTTP status 400. Without this option every key is valid, but one must be
// there.
func WithAPIKeys(keys ...string) Option {
	return optionFunc(func(s *settings) {
		for _, key := range keys {
			s.keys = append(s.keys, received.KeyOf(key))
		}
	})
}

// WithModels adds models to Google's, of which the server has those that are offered at its time
// ([WithClock]): an invented name of a test, or a model that package models does not know yet. A
// script file adds them by models. A request for any other model is answered with 404, in Google's
// words.
func WithModels(ids ...string) Option {
	return optionFunc(func(s *settings) { s.models = append(s.models, ids...) })
}

// WithClock sets the time by which models are looked up: which there are, which one answers to a
// name, and what it takes. The default is [time.Now]. In a bubble of testing/synctest, whose time
// is that of before there were models, it is the day on which the newest one was released.
func WithClock(now func() time.Time) Option { return optionFunc(func(s *settings) { s.now = now }) }

// WithoutValidation has requests answered that the real server refuses, as long as they can be
// decoded. Keys and models are looked at all the same.
func WithoutValidation() Option {
	return optionFunc(func(s *settings) { s.unchecked = true })
}

// WithoutRequestLog keeps no requests, for a server that runs for longer than a test: each one that
// is kept takes memory. [Handler.Requests] returns none then.
func WithoutRequestLog() Option {
	return optionFunc(func(s *settings) { s.dropsRequests = true })
}

// WithProcessingTime has each video that is uploaded stay in the state PROCESSING for a while, in
// which requests cannot use it. Without this option it is ACTIVE at once, as all other files are.
func WithProcessingTime(d time.Duration) Option {
	return optionFunc(func(s *settings) { s.processingTime = d })
}

// WithBatchTime has each batch take a while: it is pending in the first half of that, and runs in
// the second. Without this option it is pending in the answer to its creation, and done whenever it
// is asked for.
func WithBatchTime(d time.Duration) Option {
	return optionFunc(func(s *settings) { s.batchTime = d })
}
