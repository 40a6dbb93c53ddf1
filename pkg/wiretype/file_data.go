package wiretype

import "github.com/gemwire/gemwire/internal/plainjson"

// FileData is the content of a file in an AI SDK stream part. In version 3 it is a JSON string with
// the base64. In version 4 it is an object with the base64 or a URL.
type FileData struct {
	// Base64 is the content as the provider sent it.
	Base64 string
	// URL is the location of the content, "" if Base64 holds it. Version 4 only.
	URL string
}

// IsEmpty reports whether there is no content.
func (f *FileData) IsEmpty() bool { return *f == FileData{} }

// EncodePlain appends f to dst for the codecs of other packages; see [plainjson.Encoder].
func (f *FileData) EncodePlain(e *plainjson.Encoder, dst []byte) []byte {
	switch {
	case f.Base64 != "" && f.URL != "":
		return e.Fail(dst, "a file has data or a URL, not both")
	case f.URL != "":
		e.Since(dst, fileDataSince)
		dst = e.String(append(dst, `{"type":"url","url":`...), f.URL)
	case !e.Has(fileDataSince):
		return e.String(dst, f.Base64)
	default:
		dst = e.String(append(dst, `{"type":"data","data":`...), f.Base64)
	}
	return append(dst, '}')
}

// fileDataSince is the first version with the content as an object.
const fileDataSince = "v4"

// PlainSize estimates how many bytes EncodePlain appends.
func (f *FileData) PlainSize() int {
	return len(`{"type":"data","data":""}`) + len(f.Base64) + len(f.URL)
}

// DecodePlain reads f, which must be zero, for the codecs of other packages; see
// [plainjson.Decoder].
func (f *FileData) DecodePlain(d *plainjson.Decoder) {
	if !d.IsObject() {
		f.Base64 = d.String()
		return
	}
	switch string(d.Variant("type")) {
	case "data":
		readFileData(d, "data", &f.Base64)
	case "url":
		readFileData(d, "url", &f.URL)
	default:
		d.UnknownVariant("type")
	}
}

// readFileData reads an object with a kind and a text of the same name.
func readFileData(d *plainjson.Decoder, kind string, text *string) {
	var seen uint64
	unexpected := 0
	for name := d.BeginObject(); name != nil; name = d.NextMember() {
		switch string(name) {
		case "type":
			seen = d.Once(seen, 1<<0)
			d.Constant(kind)
		case kind:
			seen = d.Once(seen, 1<<1)
			*text = d.String()
		default:
			unexpected = d.Unexpected(unexpected)
		}
	}
	d.EndClosed(seen, 1<<0|1<<1, []string{"type", kind}, unexpected)
}
