package otelgemini

import (
	"errors"

	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/semconv/v1.41.0/genaiconv"
)

// instruments are the metrics that the convention has for clients.
type instruments struct {
	duration     genaiconv.ClientOperationDuration
	tokens       genaiconv.ClientTokenUsage
	toFirstChunk genaiconv.ClientOperationTimeToFirstChunk
	perChunk     genaiconv.ClientOperationTimePerOutputChunk
}

// The bounds of the histograms are those that the convention advises.
var (
	secondsBounds = []float64{0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92}
	tokenBounds   = []float64{1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304, 16777216, 67108864}
)

func newInstruments(meter metric.Meter) (instruments, error) {
	seconds := metric.WithExplicitBucketBoundaries(secondsBounds...)
	duration, err1 := genaiconv.NewClientOperationDuration(meter, seconds)
	tokens, err2 := genaiconv.NewClientTokenUsage(meter, metric.WithExplicitBucketBoundaries(tokenBounds...))
	toFirstChunk, err3 := genaiconv.NewClientOperationTimeToFirstChunk(meter, seconds)
	perChunk, err4 := genaiconv.NewClientOperationTimePerOutputChunk(meter, seconds)
	return instruments{duration, tokens, toFirstChunk, perChunk}, errors.Join(err1, err2, err3, err4)
}
