package fakegemini

import (
	"time"

	"github.com/gemwire/gemwire/pkg/fakegemini/internal/cassette"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/received"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/script"
)

// Option sets an option of a [Handler].
type Option interface{ apply(*settings) }

type optionFunc func(*settings)

func (f optionFunc) apply(s *settings) { f(s) }

// settings are the options of a handler.
type settings struct {
	// keys are the valid keys; if empty, every key is valid.
	keys []received.Key
	// models are additional ids of models.
	models []string
	// dropsRequests turns the request log off.
	dropsRequests bool
	// unchecked accepts every request that can be decoded.
	unchecked bool
	// cassette is recorded or replayed before everything else, if isRecorded is set.
	cassette   cassette.Settings
	isRecorded bool
	// script is the script of the test.
	script script.Script
	// report is the function of WithReport. If it is nil, nothing is reported.
	report func(text string)
	// processingTime is how long a video is in processing, batchTime how long a batch takes.
	processingTime, batchTime time.Duration
	// troubles are the troubles of the next batches.
	troubles *batchTroubles
	// now is the clock for looking models up.
	now func() time.Time
	// err is the error of an option.
	err error
}

// WithAPIKeys sets the valid keys. The server answers any other key like the real server, with "API
// key not valid" and HTTP status 400. By default every key is valid, but a request must have one.
func WithAPIKeys(keys ...string) Option {
	return optionFunc(func(s *settings) {
		for _, key := range keys {
			s.keys = append(s.keys, received.KeyOf(key))
		}
	})
}

// WithModels adds models: an invented name of a test, or a model that package models does not know
// yet. By default the server has Google's models at its time ([WithClock]). In a script file, the
// member models does the same. A request for any other model gets a 404 in Google's words.
func WithModels(ids ...string) Option {
	return optionFunc(func(s *settings) { s.models = append(s.models, ids...) })
}

// WithClock sets the clock for looking models up: which models exist, which one answers to a name,
// and what it accepts. The default is [time.Now]. In a bubble of testing/synctest, whose clock is
// before the first model, it is the day on which the newest model was released.
func WithClock(now func() time.Time) Option { return optionFunc(func(s *settings) { s.now = now }) }

// WithoutValidation also answers requests that the real server refuses, if they can be decoded. The
// server still checks keys and models.
func WithoutValidation() Option {
	return optionFunc(func(s *settings) { s.unchecked = true })
}

// WithoutRequestLog stores no requests, because stored requests take memory. Use it for servers
// that run longer than a test. [Handler.Requests] then returns none.
func WithoutRequestLog() Option {
	return optionFunc(func(s *settings) { s.dropsRequests = true })
}

// WithProcessingTime keeps each uploaded video in the state PROCESSING for a duration, in which
// requests cannot use it. By default a video is ACTIVE at once, like all other files.
func WithProcessingTime(d time.Duration) Option {
	return optionFunc(func(s *settings) { s.processingTime = d })
}

// WithBatchTime sets how long each batch takes: it is pending in the first half, and runs in the
// second. By default a batch is pending in the answer to its creation, and done in every later
// answer.
func WithBatchTime(d time.Duration) Option {
	return optionFunc(func(s *settings) { s.batchTime = d })
}
