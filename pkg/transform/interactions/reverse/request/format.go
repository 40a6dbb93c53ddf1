package request

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/wiretype"
	"github.com/go-json-experiment/json/jsontext"
)

// format is the format of one kind of output.
type format struct {
	interactionsapi.ResponseFormat
	from []string // the members of generationConfig that it comes from
}

// setFormats sets the kinds of output and their formats. They are the list response_format as soon
// as one of several kinds has a format. Kinds without any are response_modalities.
func (c *converter) setFormats() error {
	config := c.takeResponseFormat()
	var formats []*format
	isText := true
	for _, f := range []*format{c.textFormat(config.Text), c.imageFormat(config.Image),
		c.audioFormat(config.Audio), c.videoFormat(config.Video)} {
		if f != nil {
			formats = append(formats, f)
			isText = isText && f.Type == interactionsapi.ResponseFormatTypeText
		}
	}
	kinds := c.takeModalities()
	for _, kind := range kinds {
		isText = isText && kind == interactionsapi.ResponseModalityText
	}
	switch {
	case isText || len(formats) == 0:
		c.out.ResponseModalities = kinds
		c.setResponseFormat(formats)
	case len(kinds) == 0:
		c.setResponseFormat(formats)
	default:
		c.setResponseFormat(c.formatsOf(kinds, formats))
	}
	return nil
}

// takeResponseFormat removes the formats by kind from the configuration.
func (c *converter) takeResponseFormat() geminiapi.ResponseFormatConfig {
	config := jsonx.Deref(c.config.ResponseFormat)
	c.config.ResponseFormat = nil
	c.loseRest(configPointer+"/responseFormat",
		&geminiapi.ResponseFormatConfig{Unknown: config.Unknown})
	return config
}

// takeModalities removes the kinds of output from the configuration.
func (c *converter) takeModalities() []interactionsapi.ResponseModality {
	var kinds []interactionsapi.ResponseModality
	for i, modality := range c.config.ResponseModalities {
		at := jsonx.ElementPointer(configPointer+"/responseModalities", i)
		if word, ok := c.word(at, string(modality), ""); ok {
			kinds = append(kinds, interactionsapi.ResponseModality(word))
		}
	}
	c.config.ResponseModalities = nil
	return kinds
}

// formatsOf returns the format of each kind. Formats of other kinds would ask for more output.
func (c *converter) formatsOf(kinds []interactionsapi.ResponseModality,
	formats []*format) []*format {
	out := make([]*format, 0, len(kinds))
	used := map[*format]bool{}
	for _, kind := range kinds {
		wanted := interactionsapi.ResponseFormatType(kind)
		found := &format{ResponseFormat: interactionsapi.ResponseFormat{Type: wanted}}
		for _, f := range formats {
			if f.Type == wanted {
				found = f
			}
		}
		used[found] = true
		out = append(out, found)
	}
	for _, f := range formats {
		if used[f] {
			continue
		}
		for _, name := range f.from {
			c.report.Add(report.Lost, configPointer+"/"+name,
				"responseModalities does not ask for output of this kind")
		}
	}
	return out
}

// setResponseFormat sets the formats: one as an object, more as a list.
func (c *converter) setResponseFormat(formats []*format) {
	switch len(formats) {
	case 0:
		return
	case 1:
		c.out.ResponseFormat = wiretype.OneOf(formats[0].ResponseFormat)
		return
	}
	list := make([]interactionsapi.ResponseFormat, 0, len(formats))
	for _, f := range formats {
		list = append(list, f.ResponseFormat)
	}
	c.out.ResponseFormat = wiretype.ListOf(list)
}

// These are the MIME types that select the format of a text.
const (
	mimeText = "text/plain"
	mimeJSON = "application/json"
	mimeEnum = "text/x.enum"
)

// textMIMETypes maps the MIME types of responseFormat.text to their usual names. It is never
// modified.
var textMIMETypes = map[geminiapi.TextMIMEType]string{
	geminiapi.TextMIMETypeApplicationJSON: mimeJSON,
	geminiapi.TextMIMETypeTextPlain:       mimeText,
}

// textFormat returns the format of the text, or nil.
func (c *converter) textFormat(text *geminiapi.TextResponseFormat) *format {
	rest := jsonx.Deref(text)
	document, from := c.formatSchema(&rest)
	mimeType, source := c.formatMIMEType(&rest)
	c.loseRest(configPointer+"/responseFormat/text", &rest)
	switch {
	case document == nil && mimeType == "":
		return nil
	case mimeType == mimeEnum:
		c.report.Add(report.Approximated, configPointer+"/"+source,
			"converted to application/json, so the answer is the value in quotes")
		mimeType = mimeJSON
	case mimeType == "":
		c.report.Add(report.Added, configPointer+"/responseMimeType",
			"application/json, because an answer with a schema is JSON")
		mimeType = mimeJSON
	}
	out := &format{ResponseFormat: interactionsapi.ResponseFormat{
		Type: interactionsapi.ResponseFormatTypeText, MIMEType: &mimeType, Schema: document}}
	for _, name := range []string{from, source} {
		if name != "" {
			out.from = append(out.from, name)
		}
	}
	return out
}

// formatSchema removes the first schema of the answer and returns it with its member. Gemini
// refuses more than one.
func (c *converter) formatSchema(text *geminiapi.TextResponseFormat) (document jsontext.Value,
	from string) {
	for _, s := range []struct {
		name  string
		value *jsontext.Value
	}{
		{"responseJsonSchema", &c.config.ResponseJSONSchema},
		{"_responseJsonSchema", &c.config.ResponseJSONSchemaTrial},
		{"responseSchema", nil},
		{"responseFormat/text/schema", &text.Schema},
	} {
		switch {
		case s.value == nil && c.config.ResponseSchema != nil:
			document = c.ownSchema(c.config.ResponseSchema, configPointer+"/"+s.name)
			c.config.ResponseSchema = nil
			return document, s.name
		case s.value != nil && jsonx.NonNull(*s.value) != nil:
			document = c.jsonSchema(*s.value, configPointer+"/"+s.name)
			*s.value = nil
			return document, s.name
		}
	}
	return nil, ""
}

// formatMIMEType removes the MIME type of the answer and returns it with its member.
func (c *converter) formatMIMEType(text *geminiapi.TextResponseFormat) (mimeType, from string) {
	const older, newer = "responseMimeType", "responseFormat/text/mimeType"
	mimeType = jsonx.Deref(c.config.ResponseMIMEType)
	c.config.ResponseMIMEType = nil
	if mimeType != "" {
		from = older
	}
	if text.MIMEType == nil {
		return mimeType, from
	}
	named, known := textMIMETypes[*text.MIMEType]
	switch {
	case *text.MIMEType == geminiapi.TextMIMETypeUnspecified:
		c.report.Add(report.Approximated, configPointer+"/"+newer,
			"omitted, because it names no value")
	case !known, mimeType != "" && mimeType != named:
		return mimeType, from // its own is lost
	case mimeType == "":
		mimeType, from = named, newer
	}
	text.MIMEType = nil
	return mimeType, from
}
