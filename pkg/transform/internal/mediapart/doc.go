// Package mediapart makes Gemini's part of what a content part of any form says about its media:
// where they are (a data URL in any spelling, an address, the id of a file), of which type they
// are, which clip of a video is meant, and how closely an image is to be looked at. A form fills in
// [Media]; a [Converter] makes the part; [RemoteOf] finds the media that anybody can get, for those
// who get them before the conversion.
package mediapart
