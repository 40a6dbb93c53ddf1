package request

import (
	"slices"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/answerform"
	"github.com/gemwire/gemwire/pkg/transform/internal/target"
	"github.com/go-json-experiment/json"
)

const formatAt = "/response_format"

// setFormats sets the formats of the answer: the schema of its text, its modalities, and the
// formats of its media.
func (c *converter) setFormats() error {
	list := c.in.ResponseFormat.All()
	one := c.in.ResponseFormat.AsOne()
	if one != nil && isBareSchema(one) {
		if err := c.setBareSchema(one); err != nil {
			return err
		}
		list = nil
	}
	var modalities []geminiapi.ResponseModality
	for i := range list {
		pointer := formatAt
		if one == nil {
			pointer += "/" + itoa(i)
		}
		modality, err := c.setFormat(&list[i], pointer)
		if err != nil {
			return err
		}
		if modality != "" && !slices.Contains(modalities, modality) {
			modalities = append(modalities, modality)
		}
	}
	c.setMIMEType()
	c.setModalities(modalities)
	return nil
}

// schemaTypes are the types of a JSON Schema. It is never written to.
var schemaTypes = map[interactionsapi.ResponseFormatType]bool{"object": true, "array": true,
	"string": true, "number": true, "integer": true, "boolean": true, "null": true}

// isBareSchema reports whether a format is a JSON Schema in place of a format.
func isBareSchema(f *interactionsapi.ResponseFormat) bool {
	if f.Type != "" {
		return schemaTypes[f.Type]
	}
	isEmpty := true
	visitMembersOfResponseFormat(f, func(string) { isEmpty = false })
	return isEmpty && f.Unknown != nil
}

// setBareSchema sets a schema that stands in place of a format.
func (c *converter) setBareSchema(f *interactionsapi.ResponseFormat) error {
	schema, err := json.Marshal(f, jsonx.Canonical)
	if err != nil {
		return refuse(formatAt, "not JSON")
	}
	before := len(c.Report)
	err = answerform.SetSchema(&c.Request, formatAt, &answerform.Schema{Schema: schema})
	for i := range c.Report[before:] { // below /schema, which the request does not have
		e := &c.Report[before+i]
		e.Pointer = strings.Replace(e.Pointer, formatAt+"/schema", formatAt, 1)
	}
	return err
}

// setFormat sets one format, and returns the modality that it asks for, "" for text.
func (c *converter) setFormat(f *interactionsapi.ResponseFormat,
	pointer string) (geminiapi.ResponseModality, error) {
	c.LoseUnknown(pointer, f.Unknown)
	kind := f.Type
	if kind == "" {
		kind = interactionsapi.ResponseFormatTypeText
		c.Report.Add(report.Approximated, pointer, "the format has no type, and is read as text")
	}
	visitMembersOfResponseFormat(f, func(name string) {
		if members := formatMembers[kind]; members != nil && name != "type" &&
			!slices.Contains(members, name) {
			c.Report.Add(report.Lost, pointer+"/"+name, detailNotHere)
		}
	})
	switch kind {
	case interactionsapi.ResponseFormatTypeText:
		return "", c.setTextFormat(f, pointer)
	case interactionsapi.ResponseFormatTypeImage:
		c.setImageFormat(f, pointer)
		return geminiapi.ResponseModalityImage, nil
	case interactionsapi.ResponseFormatTypeAudio:
		c.setAudioFormat(f, pointer)
		return geminiapi.ResponseModalityAudio, nil
	case interactionsapi.ResponseFormatTypeVideo:
		return c.setVideoFormat(f, pointer), nil
	default:
		c.Report.Add(report.Lost, pointer, "must be a format of type text, image, audio or video")
		return "", nil
	}
}

// formatMembers are the members of a format by its type. It is never written to.
var formatMembers = map[interactionsapi.ResponseFormatType][]string{
	interactionsapi.ResponseFormatTypeText: {"mime_type", "schema"},
	interactionsapi.ResponseFormatTypeImage: {"mime_type", "aspect_ratio", "image_size",
		"delivery"},
	interactionsapi.ResponseFormatTypeAudio: {"mime_type", "sample_rate", "bit_rate", "delivery"},
	interactionsapi.ResponseFormatTypeVideo: {"aspect_ratio", "resolution", "duration", "delivery",
		"gcs_uri"},
}

// setTextFormat sets the MIME type and the schema of the text. A schema means JSON.
func (c *converter) setTextFormat(f *interactionsapi.ResponseFormat, pointer string) error {
	mimeType, isJSON := jsonx.Deref(f.MIMEType), len(jsonx.NonNull(f.Schema)) > 0
	switch {
	case answerform.IsSet(&c.Request):
		c.Report.Add(report.Lost, pointer, "a format before it sets the text, and Gemini has one")
	case isJSON && mimeType != "" && mimeType != target.MIMETypeJSON:
		return refuse(pointer+"/mime_type",
			"must be "+target.MIMETypeJSON+", because there is a schema")
	case isJSON:
		c.Origins = c.Origins.WithFormat(pointer)
		return answerform.SetSchema(&c.Request, pointer, &answerform.Schema{Schema: f.Schema})
	case f.MIMEType != nil:
		c.Config().ResponseMIMEType = f.MIMEType
	}
	return nil
}

// setMIMEType sets the MIME type by the older member. A format takes precedence.
func (c *converter) setMIMEType() {
	const at = "/response_mime_type"
	switch asked, set := c.in.ResponseMIMEType, c.Config().ResponseMIMEType; {
	case asked == nil:
	case set == nil:
		c.Config().ResponseMIMEType = asked
	case *set != *asked:
		c.Report.Add(report.Lost, at, "response_format has another one, which is used")
	}
}

// setModalities sets the kinds of content of the answer: those of response_modalities, else those
// of the formats.
func (c *converter) setModalities(ofFormats []geminiapi.ResponseModality) {
	if len(c.in.ResponseModalities) == 0 {
		if len(ofFormats) > 0 && c.hasTextFormat() {
			ofFormats = slices.Insert(ofFormats, 0, geminiapi.ResponseModalityText)
		}
		c.Config().ResponseModalities = ofFormats
		return
	}
	for i, asked := range c.in.ResponseModalities {
		pointer := "/response_modalities/" + itoa(i)
		modality := geminiapi.ResponseModality(strings.ToUpper(string(asked)))
		switch {
		case modality == "DOCUMENT":
			c.Report.Add(report.Lost, pointer, "generateContent returns no documents")
		case slices.Contains(c.Config().ResponseModalities, modality):
			c.Report.Add(report.Approximated, pointer, "listed before")
		default:
			c.Config().ResponseModalities = append(c.Config().ResponseModalities, modality)
		}
	}
}

// hasTextFormat reports whether a format is of type text.
func (c *converter) hasTextFormat() bool {
	isText := func(f interactionsapi.ResponseFormat) bool {
		return f.Type == interactionsapi.ResponseFormatTypeText
	}
	return slices.ContainsFunc(c.in.ResponseFormat.All(), isText)
}
