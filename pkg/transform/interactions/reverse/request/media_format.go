package request

import (
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
)

// aspectRatios maps aspect ratios to their short names. It is never modified.
var aspectRatios = map[geminiapi.ImageAspectRatio]interactionsapi.AspectRatio{
	geminiapi.ImageAspectRatioOneByOne:        interactionsapi.AspectRatioOneToOne,
	geminiapi.ImageAspectRatioTwoByThree:      interactionsapi.AspectRatioTwoToThree,
	geminiapi.ImageAspectRatioThreeByTwo:      interactionsapi.AspectRatioThreeToTwo,
	geminiapi.ImageAspectRatioThreeByFour:     interactionsapi.AspectRatioThreeToFour,
	geminiapi.ImageAspectRatioFourByThree:     interactionsapi.AspectRatioFourToThree,
	geminiapi.ImageAspectRatioFourByFive:      interactionsapi.AspectRatioFourToFive,
	geminiapi.ImageAspectRatioFiveByFour:      interactionsapi.AspectRatioFiveToFour,
	geminiapi.ImageAspectRatioNineBySixteen:   interactionsapi.AspectRatioNineToSixteen,
	geminiapi.ImageAspectRatioSixteenByNine:   interactionsapi.AspectRatioSixteenToNine,
	geminiapi.ImageAspectRatioTwentyOneByNine: interactionsapi.AspectRatioTwentyOneToNine,
	geminiapi.ImageAspectRatioOneByEight:      interactionsapi.AspectRatioOneToEight,
	geminiapi.ImageAspectRatioEightByOne:      interactionsapi.AspectRatioEightToOne,
	geminiapi.ImageAspectRatioOneByFour:       interactionsapi.AspectRatioOneToFour,
	geminiapi.ImageAspectRatioFourByOne:       interactionsapi.AspectRatioFourToOne,
}

// imageSizes maps sizes of images to their short names. It is never modified.
var imageSizes = map[geminiapi.ImageSize]interactionsapi.ImageSize{
	geminiapi.ImageSizeFiveTwelve: interactionsapi.ImageSizeSize512,
	geminiapi.ImageSizeOneK:       interactionsapi.ImageSizeSize1K,
	geminiapi.ImageSizeTwoK:       interactionsapi.ImageSizeSize2K,
	geminiapi.ImageSizeFourK:      interactionsapi.ImageSizeSize4K,
}

// named returns the value that a table has for a value of an enum. Values that stand for none are
// reported, and so are unknown ones.
func named[K, V ~string](c *converter, table map[K]V, in *K, at string) *V {
	if in == nil {
		return nil
	}
	if value, known := table[*in]; known {
		return &value
	}
	if _, ok := c.word(at, string(*in), ""); ok {
		c.report.Add(report.Lost, at, "an interaction does not know this value")
	}
	return nil
}

// imageFormat returns the format of images, or nil. The newer of both members takes precedence.
func (c *converter) imageFormat(in *geminiapi.ImageResponseFormat) *format {
	const at, name = configPointer + "/responseFormat/image", "responseFormat/image"
	out := &format{ResponseFormat: interactionsapi.ResponseFormat{
		Type: interactionsapi.ResponseFormatTypeImage}}
	if in != nil {
		out.AspectRatio = named(c, aspectRatios, in.AspectRatio, at+"/aspectRatio")
		out.ImageSize = named(c, imageSizes, in.ImageSize, at+"/imageSize")
		if in.MIMEType != nil {
			out.MIMEType = c.mimeType(string(*in.MIMEType), "IMAGE_", "image/", at+"/mimeType")
		}
		out.Delivery = c.delivery(in.Delivery, at+"/delivery")
		c.loseRest(at, &geminiapi.ImageResponseFormat{Unknown: in.Unknown})
		out.from = append(out.from, name)
	}
	if c.config.ImageConfig != nil {
		c.addImageConfig(out)
		out.from = append(out.from, "imageConfig")
	}
	if out.from == nil {
		return nil
	}
	return out
}

// addImageConfig adds the older settings of images.
func (c *converter) addImageConfig(out *format) {
	rest := *c.config.ImageConfig
	c.config.ImageConfig = nil
	if ratio := rest.AspectRatio; ratio != nil && sameOrUnset(out.AspectRatio, *ratio) {
		out.AspectRatio, rest.AspectRatio = new(interactionsapi.AspectRatio(*ratio)), nil
	}
	if size := rest.ImageSize; size != nil && sameOrUnset(out.ImageSize, *size) {
		out.ImageSize, rest.ImageSize = new(interactionsapi.ImageSize(*size)), nil
	}
	if mimeType := rest.OutputMIMEType; mimeType != nil && sameOrUnset(out.MIMEType, *mimeType) {
		out.MIMEType, rest.OutputMIMEType = mimeType, nil
	}
	if options := jsonx.Deref(rest.ImageOutputOptions); options.MIMEType != nil &&
		sameOrUnset(out.MIMEType, *options.MIMEType) {
		out.MIMEType, options.MIMEType = options.MIMEType, nil
		rest.ImageOutputOptions = &options
	}
	c.loseRest(configPointer+"/imageConfig", &rest)
}

// sameOrUnset reports whether a member has a value or is absent.
func sameOrUnset[T ~string](member *T, value string) bool {
	return member == nil || string(*member) == value
}

// mimeType returns the MIME type of an enum such as IMAGE_JPEG.
func (c *converter) mimeType(value, prefix, kind, at string) *string {
	word, ok := c.word(at, value, prefix)
	if !ok {
		return nil
	}
	if strings.Contains(word, "/") {
		return &word
	}
	return new(kind + word)
}

// delivery returns how data is returned. The Gemini API refuses the member, and always returns the
// data itself.
func (c *converter) delivery(in *geminiapi.Delivery, at string) *interactionsapi.Delivery {
	switch {
	case in == nil:
		return nil
	case c.vertex:
		if word, ok := c.word(at, string(*in), ""); ok {
			return new(interactionsapi.Delivery(word))
		}
	case *in == geminiapi.DeliveryInline || *in == geminiapi.DeliveryUnspecified:
		c.report.Add(report.Approximated, at, "omitted, because the Gemini API does so anyway")
	default:
		c.report.Add(report.Lost, at, detailVertexOnly)
	}
	return nil
}

// audioFormat returns the format of sounds, or nil. The Gemini API refuses a MIME type and returns
// raw samples.
func (c *converter) audioFormat(in *geminiapi.AudioResponseFormat) *format {
	const at = configPointer + "/responseFormat/audio"
	if in == nil {
		return nil
	}
	out := &format{from: []string{"responseFormat/audio"},
		ResponseFormat: interactionsapi.ResponseFormat{
			Type: interactionsapi.ResponseFormatTypeAudio, SampleRate: in.SampleRate,
			BitRate: in.BitRate, Delivery: c.delivery(in.Delivery, at+"/delivery")}}
	switch {
	case in.MIMEType == nil:
	case c.vertex:
		out.MIMEType = c.mimeType(string(*in.MIMEType), "AUDIO_", "audio/", at+"/mimeType")
	case *in.MIMEType == geminiapi.AudioMIMETypeL16 ||
		*in.MIMEType == geminiapi.AudioMIMETypeUnspecified:
		c.report.Add(report.Approximated, at+"/mimeType",
			"omitted, because the Gemini API returns raw samples anyway")
	default:
		c.report.Add(report.Lost, at+"/mimeType", detailVertexOnly)
	}
	c.loseRest(at, &geminiapi.AudioResponseFormat{Unknown: in.Unknown})
	return out
}

// videoAspectRatios maps aspect ratios of videos to their short names. It is never modified.
var videoAspectRatios = map[geminiapi.VideoAspectRatio]interactionsapi.AspectRatio{
	geminiapi.VideoAspectRatioSixteenByNine: interactionsapi.AspectRatioSixteenToNine,
	geminiapi.VideoAspectRatioNineBySixteen: interactionsapi.AspectRatioNineToSixteen,
}

// videoFormat returns the format of videos, or nil.
func (c *converter) videoFormat(in *geminiapi.VideoResponseFormat) *format {
	const at = configPointer + "/responseFormat/video"
	if in == nil {
		return nil
	}
	out := &format{from: []string{"responseFormat/video"},
		ResponseFormat: interactionsapi.ResponseFormat{
			Type: interactionsapi.ResponseFormatTypeVideo, Duration: in.Duration,
			AspectRatio: named(c, videoAspectRatios, in.AspectRatio, at+"/aspectRatio"),
			Delivery:    c.delivery(in.Delivery, at+"/delivery")}}
	if in.Resolution != nil {
		out.Resolution = new(interactionsapi.VideoResolution(*in.Resolution))
	}
	switch {
	case in.GcsURI == nil:
	case c.vertex:
		out.GCSURI = in.GcsURI
	default:
		c.report.Add(report.Lost, at+"/gcsUri", detailVertexOnly)
	}
	c.loseRest(at, &geminiapi.VideoResponseFormat{Unknown: in.Unknown})
	return out
}
