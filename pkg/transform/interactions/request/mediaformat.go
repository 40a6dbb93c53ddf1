package request

import (
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/pkg/report"
)

// formats returns the formats of media in the request, and adds them if needed.
func (c *converter) formats() *geminiapi.ResponseFormatConfig {
	if c.Config().ResponseFormat == nil {
		c.Config().ResponseFormat = &geminiapi.ResponseFormatConfig{}
	}
	return c.Config().ResponseFormat
}

const detailAgain = "a format before it has this type, and Gemini has one"

// setImageFormat sets the format of images.
func (c *converter) setImageFormat(f *interactionsapi.ResponseFormat, pointer string) {
	out := &geminiapi.ImageResponseFormat{Delivery: deliveryOf(f.Delivery)}
	setWord(c, &out.AspectRatio, imageRatios, f.AspectRatio, pointer+"/aspect_ratio")
	setWord(c, &out.ImageSize, imageSizes, f.ImageSize, pointer+"/image_size")
	setWord(c, &out.MIMEType, imageTypes, f.MIMEType, pointer+"/mime_type")
	switch {
	case out.IsEmpty():
	case c.formats().Image != nil:
		c.Report.Add(report.Lost, pointer, detailAgain)
	default:
		c.formats().Image = out
	}
}

// setAudioFormat sets the format of sounds.
func (c *converter) setAudioFormat(f *interactionsapi.ResponseFormat, pointer string) {
	out := &geminiapi.AudioResponseFormat{Delivery: deliveryOf(f.Delivery),
		SampleRate: f.SampleRate, BitRate: f.BitRate}
	setWord(c, &out.MIMEType, audioTypes, f.MIMEType, pointer+"/mime_type")
	switch {
	case out.IsEmpty():
	case c.formats().Audio != nil:
		c.Report.Add(report.Lost, pointer, detailAgain)
	default:
		c.formats().Audio = out
	}
}

// setVideoFormat sets the format of videos. Only models of Vertex AI make videos with
// generateContent.
func (c *converter) setVideoFormat(f *interactionsapi.ResponseFormat,
	pointer string) geminiapi.ResponseModality {
	if !c.VertexAI {
		c.Report.Add(report.Lost, pointer, detailVertexOnly)
		return ""
	}
	out := &geminiapi.VideoResponseFormat{Delivery: deliveryOf(f.Delivery), GcsURI: f.GCSURI,
		Duration: f.Duration, Resolution: (*string)(f.Resolution)}
	setWord(c, &out.AspectRatio, videoRatios, f.AspectRatio, pointer+"/aspect_ratio")
	switch {
	case out.IsEmpty():
	case c.formats().Video != nil:
		c.Report.Add(report.Lost, pointer, detailAgain)
	default:
		c.formats().Video = out
	}
	return geminiapi.ResponseModalityVideo
}

// deliveryOf returns how media are delivered.
func deliveryOf(in *interactionsapi.Delivery) *geminiapi.Delivery {
	if in == nil {
		return nil
	}
	return new(geminiapi.Delivery(strings.ToUpper(string(*in))))
}

// setWord sets a member by a table. A word that the table does not have is lost.
func setWord[W, G ~string](c *converter, out **G, table map[string]G, word *W, pointer string) {
	if word == nil {
		return
	}
	if value, isKnown := table[string(*word)]; isKnown {
		*out = &value
	} else {
		c.Report.Add(report.Lost, pointer, "generateContent has no such value")
	}
}

// imageRatios maps the shapes of images to Gemini's names. It is never written to.
var imageRatios = map[string]geminiapi.ImageAspectRatio{
	"1:1":  geminiapi.ImageAspectRatioOneByOne,
	"2:3":  geminiapi.ImageAspectRatioTwoByThree,
	"3:2":  geminiapi.ImageAspectRatioThreeByTwo,
	"3:4":  geminiapi.ImageAspectRatioThreeByFour,
	"4:3":  geminiapi.ImageAspectRatioFourByThree,
	"4:5":  geminiapi.ImageAspectRatioFourByFive,
	"5:4":  geminiapi.ImageAspectRatioFiveByFour,
	"9:16": geminiapi.ImageAspectRatioNineBySixteen,
	"16:9": geminiapi.ImageAspectRatioSixteenByNine,
	"21:9": geminiapi.ImageAspectRatioTwentyOneByNine,
	"1:8":  geminiapi.ImageAspectRatioOneByEight,
	"8:1":  geminiapi.ImageAspectRatioEightByOne,
	"1:4":  geminiapi.ImageAspectRatioOneByFour,
	"4:1":  geminiapi.ImageAspectRatioFourByOne,
}

// imageSizes maps the sizes of images to Gemini's names. It is never written to.
var imageSizes = map[string]geminiapi.ImageSize{
	"512": geminiapi.ImageSizeFiveTwelve, "1K": geminiapi.ImageSizeOneK,
	"2K": geminiapi.ImageSizeTwoK, "4K": geminiapi.ImageSizeFourK,
}

// imageTypes maps the MIME types of images to Gemini's names. It is never written to.
var imageTypes = map[string]geminiapi.ImageMIMEType{"image/jpeg": geminiapi.ImageMIMETypeJPEG}

// audioTypes maps the MIME types of sounds to Gemini's names. It is never written to.
var audioTypes = map[string]geminiapi.AudioMIMEType{
	"audio/mp3": geminiapi.AudioMIMETypeMP3, "audio/ogg_opus": geminiapi.AudioMIMETypeOGGOpus,
	"audio/l16": geminiapi.AudioMIMETypeL16, "audio/wav": geminiapi.AudioMIMETypeWAV,
	"audio/alaw": geminiapi.AudioMIMETypeALaw, "audio/mulaw": geminiapi.AudioMIMETypeMuLaw,
}

// videoRatios maps the shapes of videos to Gemini's names. It is never written to.
var videoRatios = map[string]geminiapi.VideoAspectRatio{
	"16:9": geminiapi.VideoAspectRatioSixteenByNine,
	"9:16": geminiapi.VideoAspectRatioNineBySixteen,
}
