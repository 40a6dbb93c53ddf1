package request

import "context"

// messageOptions are the choices about messages. The zero value is the default.
type messageOptions struct {
	trailing    TrailingTurnPolicy
	remoteMedia RemoteMediaPolicy
	fetcher     MediaFetcher    // for RemoteMediaInlined, and to ask for types; nil without one
	fetchWith   context.Context // of the call that the fetcher is used for
}

// TrailingTurnPolicy says what becomes of a conversation that ends with a message of the model. Older
// models carry such a message on; the newest refuse the request.
type TrailingTurnPolicy int

const (
	// TrailingTurnKept sends the message to models that take it. For the others the conversion fails
	// with a *[Error]. This is the default.
	TrailingTurnKept TrailingTurnPolicy = iota
	// TrailingTurnTrimmed leaves the message out and reports it as lost.
	TrailingTurnTrimmed
	// TrailingTurnRefused fails with a *[Error] whatever the model is.
	TrailingTurnRefused
)

// WithTrailingModelTurn sets what becomes of a conversation that ends with a message of the model. The
// default is [TrailingTurnKept].
func WithTrailingModelTurn(policy TrailingTurnPolicy) Option {
	return func(o *options) { o.trailing = policy }
}

// RemoteMediaPolicy says what becomes of media that the request gives by an http or https address. It
// does not concern the places where Google itself keeps media: gs:// addresses, files of the Files API
// and videos of YouTube are always passed on.
type RemoteMediaPolicy int

const (
	// RemoteMediaPassed hands the address to Gemini, which gets the media itself if it can. This is the
	// default.
	RemoteMediaPassed RemoteMediaPolicy = iota
	// RemoteMediaRefused fails with a *[Error].
	RemoteMediaRefused
	// remoteMediaInlined is what WithInlineMedia sets.
	remoteMediaInlined
)

// WithRemoteMedia sets what becomes of media at http and https addresses. The default is
// [RemoteMediaPassed]; see [WithInlineMedia] for getting the media.
func WithRemoteMedia(policy RemoteMediaPolicy) Option {
	return func(o *options) { o.remoteMedia = policy }
}

// WithInlineMedia gets media at http and https addresses with the fetcher and puts them into the
// request. What cannot be got is a *[Error]. The context is that of the fetcher's calls; when it
// ends, the conversion fails.
//
// Clients choose the addresses. A fetcher that follows them from inside a network must guard what it
// reaches; see [MediaFetcher]. Without one, when fetcher is nil, such media are refused.
func WithInlineMedia(ctx context.Context, fetcher MediaFetcher) Option {
	return func(o *options) { o.remoteMedia, o.fetcher, o.fetchWith = remoteMediaInlined, fetcher, ctx }
}

// WithMediaTypes asks the fetcher for the MIME type of media that are passed on by address, where the
// address itself does not tell by its extension. An address that cannot be asked is passed on without a
// type, and reported. The context is that of the fetcher's calls.
func WithMediaTypes(ctx context.Context, fetcher MediaFetcher) Option {
	return func(o *options) { o.remoteMedia, o.fetcher, o.fetchWith = RemoteMediaPassed, fetcher, ctx }
}
