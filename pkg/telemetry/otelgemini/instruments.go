package otelgemini

import (
	"errors"

	"github.com/gemwire/gemwire/internal/otelgenai"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/semconv/v1.41.0/genaiconv"
)

// instruments are the convention's metrics for clients.
type instruments struct {
	duration     genaiconv.ClientOperationDuration
	tokens       genaiconv.ClientTokenUsage
	toFirstChunk genaiconv.ClientOperationTimeToFirstChunk
	perChunk     genaiconv.ClientOperationTimePerOutputChunk
}

func newInstruments(meter metric.Meter) (instruments, error) {
	seconds := otelgenai.Seconds()
	duration, err1 := genaiconv.NewClientOperationDuration(meter, seconds)
	tokens, err2 := genaiconv.NewClientTokenUsage(meter, otelgenai.Tokens())
	toFirstChunk, err3 := genaiconv.NewClientOperationTimeToFirstChunk(meter, seconds)
	perChunk, err4 := genaiconv.NewClientOperationTimePerOutputChunk(meter, seconds)
	return instruments{duration, tokens, toFirstChunk, perChunk},
		errors.Join(err1, err2, err3, err4)
}
