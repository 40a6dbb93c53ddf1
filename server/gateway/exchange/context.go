package exchange

import "context"

// recorderKey is the key of [WithRecorder] in a context.
type recorderKey struct{}

// WithRecorder has a recorder told of a request that comes from within the program, beside those of the gateway's
// observers. The handler calls it until it has ended the request.
func WithRecorder(ctx context.Context, recorder Recorder) context.Context {
	return context.WithValue(ctx, recorderKey{}, recorder)
}

// RecorderOf returns what WithRecorder was told, nil for nothing.
func RecorderOf(ctx context.Context) Recorder {
	recorder, _ := ctx.Value(recorderKey{}).(Recorder)
	return recorder
}
