// Package mediapart knows what a content part of a request for chat_completions says about its media: where they
// are (a data URL in any spelling, an address, the id of a file), of which type they are, which clip of a video
// is meant, and how closely an image is to be looked at. A [Converter] makes Gemini's part of it; [RemoteOf] finds
// the media that anybody can get, for those who get them before the conversion.
package mediapart
