package aisdk

import "github.com/go-json-experiment/json/jsontext"

// File is a file that the model made.
type File struct {
	// MediaType is the IANA media type, such as "image/png".
	MediaType string
	// Data is the content in base64, as the provider sent it.
	Data string
	// URL is where the file is, in the place of Data; "" when Data has it. V4 only.
	URL string
	// ProviderMetadata is optional.
	ProviderMetadata ProviderMetadata
}

// PartType returns [TypeFile].
func (File) PartType() PartType { return TypeFile }

// MarshalJSON returns what [EncodePart] returns.
func (p File) MarshalJSON() ([]byte, error) { return EncodePart(p) }

func (p File) write(w *partWriter) {
	w.text("mediaType", p.MediaType)
	writeFileData(w, p.Data, p.URL)
	w.metadata(p.ProviderMetadata)
}

func readFile(r *partReader) Part {
	p := File{MediaType: r.text("mediaType"), ProviderMetadata: r.metadata()}
	p.Data, p.URL = readFileData(r)
	return p
}

// ReasoningFile is a file that the model made while it reasoned. V4 only.
type ReasoningFile struct {
	// MediaType is the IANA media type, such as "image/png".
	MediaType string
	// Data is the content in base64, as the provider sent it.
	Data string
	// URL is where the file is, in the place of Data; "" when Data has it.
	URL string
	// ProviderMetadata is optional.
	ProviderMetadata ProviderMetadata
}

// PartType returns [TypeReasoningFile].
func (ReasoningFile) PartType() PartType { return TypeReasoningFile }

// MarshalJSON returns what [EncodePart] returns, but in the form of V4.
func (p ReasoningFile) MarshalJSON() ([]byte, error) { return EncodePart(p, ForV4()) }

func (p ReasoningFile) write(w *partWriter) {
	w.onlyV4("")
	w.text("mediaType", p.MediaType)
	writeFileData(w, p.Data, p.URL)
	w.metadata(p.ProviderMetadata)
}

func readReasoningFile(r *partReader) Part {
	p := ReasoningFile{MediaType: r.text("mediaType"), ProviderMetadata: r.metadata()}
	p.Data, p.URL = readFileData(r)
	return p
}

// writeFileData writes the content of a file: a string in V3, an object with a type in V4.
func writeFileData(w *partWriter, data, url string) {
	const name = "data"
	if data != "" && url != "" {
		w.fail(name, "a file has data or a URL, not both")
	}
	if !w.v4 {
		if url != "" {
			w.onlyV4(name)
		}
		w.text(name, data)
		return
	}
	w.beginObject(name)
	if url != "" {
		w.text("type", "url")
		w.text("url", url)
	} else {
		w.text("type", "data")
		w.text("data", data)
	}
	w.endObject()
}

// readFileData reads both forms.
func readFileData(r *partReader) (data, url string) {
	const name = "data"
	if m := r.required(name); m == nil || m.value.Kind() != jsontext.KindBeginObject {
		return r.text(name), ""
	}
	r.object(name, func(r *partReader) {
		switch r.text("type") {
		case "data":
			data = r.text("data")
		case "url":
			url = r.text("url")
		default:
			r.fail("type", reasonUnknownValue)
		}
	})
	return data, url
}
