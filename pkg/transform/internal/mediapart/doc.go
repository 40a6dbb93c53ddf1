// Package mediapart converts the media of a content part in any form to a Gemini part. It handles
// data URLs in any spelling, addresses, file ids, MIME types, video clips and image detail levels.
// A form fills in [Media], and a [Converter] makes the part. [RemoteOf] finds media at public
// addresses, for callers that download them before the conversion.
package mediapart
