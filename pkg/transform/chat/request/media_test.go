package request_test

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/gemwire/gemwire/pkg/transform/chat/request"
	"github.com/gemwire/gemwire/pkg/wiretype"
	"github.com/google/go-cmp/cmp"
)

// asked returns a user message with one part.
func asked(part string) string { return `{"role":"user","content":[` + part + `]}` }

// seenAs is the only turn of asked's message.
func seenAs(part string) string { return `{"role":"user","parts":[` + part + `]}` }

func inlined(mimeType, data string) string {
	return seenAs(`{"inlineData":{"mimeType":"` + mimeType + `","data":"` + data + `"}}`)
}

func imageAt(url string) string {
	return asked(`{"type":"image_url","image_url":{"url":"` + url + `"}}`)
}

// First bytes of images, enough to distinguish their types.
var (
	pngData  = base64.StdEncoding.EncodeToString([]byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"))
	jpegData = base64.StdEncoding.EncodeToString([]byte("\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01\x01"))
)

func TestSloppyDataURLsAreUnderstood(t *testing.T) {
	t.Parallel()
	const at = "/messages/0/content/0/image_url/url"
	other := []string{"approximated " + at}
	cases := map[string]conversation{}
	for url, c := range map[string]conversation{
		"data:image/png;base64,AAAA":                       {want: inlined("image/png", "AAAA")},
		"data:image/png;base64,-_-_":                       {want: inlined("image/png", "-_-_")},
		" data:image/png;base64,AAAA":                      {want: inlined("image/png", "AAAA")},
		"DATA:image/png;BASE64,AAAA":                       {want: inlined("image/png", "AAAA")},
		"data: image/png; base64 ,AAAA":                    {want: inlined("image/png", "AAAA")},
		`data:image/png;base64,AA\nAA\r\n`:                 {want: inlined("image/png", "AAAA")},
		`data:image/png;base64, AA AA\t`:                   {want: inlined("image/png", "AAAA")},
		"data:image/png;base64,AA%2BA":                     {want: inlined("image/png", "AA+A")},
		"data:image/png;base64,data:image/png;base64,AAAA": {want: inlined("image/png", "AAAA")},
		"data:data:image/png;base64,AAAA":                  {want: inlined("image/png", "AAAA")},
		"data:image/png;charset=utf-8;base64,AAAA":         {want: inlined("image/png", "AAAA"), report: other},
		"data:;base64," + pngData:                          {want: inlined("image/png", pngData)},
		"data:base64," + pngData:                           {want: inlined("image/png", pngData)},
		pngData:                                            {want: inlined("image/png", pngData)},
		"data:image/jpg;base64,AAAA":                       {want: inlined("image/jpeg", "AAAA"), report: other},
		"data:IMAGE/PNG;base64,AAAA":                       {want: inlined("image/png", "AAAA"), report: other},
		"data:image/*;base64," +
			jpegData: {want: inlined("image/jpeg", jpegData), report: other},
		"data:application/octet-stream;base64," +
			pngData: {want: inlined("image/png", pngData), report: other},
		"data:image/png;base64," +
			jpegData: {want: inlined("image/jpeg", jpegData), report: other},
		"data:image/png," + pngData:     {want: inlined("image/png", pngData)},
		"data:text/plain,Hi%20there":    {want: inlined("text/plain", "SGkgdGhlcmU=")},
		"data:;base64,AAAA":             {want: inlined("application/octet-stream", "AAAA"), report: []string{"added " + at}},
		"data:image/png;base64,":        {err: "/messages/0/content: ", report: other},
		"data:image/png;base64":         {err: at + ": the data URL"},
		"data:image/png;base64,(image)": {err: at + ": the data in it is not base64"},
		"data:image/png;base64,AAAA%zz": {err: at + ": the data in it is not base64"},
		"data:image/png;base64," + pngData +
			"...": {err: at + ": the data in it is not base64"},
		"data;image/png;base64,AAAA":                       {err: at + ": must be an address"},
		"data:text/plain,100%":                             {err: at + ": the data URL"},
		strings.Repeat("data:", 9) + "image/png;base64,AA": {err: at + ": the data URL"},
	} {
		c.messages = imageAt(url)
		cases[url] = c
	}
	converse(t, flash25, cases)
}

func TestTheFirstBytesDecideTheTypeOfUntypedData(t *testing.T) {
	t.Parallel()
	for first, want := range map[string]string{
		"\x89PNG\r\n\x1a\n": "image/png", "\xff\xd8\xff": "image/jpeg", "GIF87a": "image/gif",
		"GIF89a":                       "image/gif",
		"RIFF\x00\x00\x00\x00WEBPVP8 ": "image/webp", "RIFF\x00\x00\x00\x00WAVEfmt ": "audio/wav",
		"RIFF\x00\x00\x00\x00AVI LIST":       "video/x-msvideo",
		"BM\x00\x00\x00\x00\x00\x00\x00\x00": "image/bmp", "II*\x00": "image/tiff",
		"MM\x00*":                  "image/tiff",
		"\x00\x00\x00\x18ftypheic": "image/heic", "\x00\x00\x00\x18ftypheix": "image/heic",
		"\x00\x00\x00\x18ftypmif1": "image/heif", "\x00\x00\x00\x18ftypavif": "image/avif",
		"\x00\x00\x00\x18ftypmp42": "video/mp4", "\x00\x00\x00\x18ftypqt  ": "video/quicktime",
		"\x00\x00\x00\x18ftypM4A ": "audio/m4a", "\x00\x00\x00\x18ftyp3gp5": "video/3gpp",
		"\x1aE\xdf\xa3": "video/webm", "\x00\x00\x01\xba": "video/mpeg", "FLV\x01": "video/x-flv",
		"%PDF-1.7": "application/pdf", "ID3\x04": "audio/mpeg", "\xff\xfb\x90": "audio/mpeg",
		"\xff\xf3\x90": "audio/mpeg", "\xff\xf2\x90": "audio/mpeg", "\xff\xf1\x50": "audio/aac",
		"\xff\xf9\x50": "audio/aac",
		"OggS":         "audio/ogg", "fLaC": "audio/flac", "FORM\x00\x00\x00\x00AIFF": "audio/aiff",
		"Hello": "application/octet-stream", "BMW is a car": "application/octet-stream",
		"RIFF": "application/octet-stream",
	} {
		for _, encoding := range []*base64.Encoding{base64.StdEncoding, base64.URLEncoding,
			base64.RawStdEncoding, base64.RawURLEncoding} {
			out, _, err := talk(t, flash25,
				asked(`{"type":"file","file":{"file_data":"data:;base64,`+
					encoding.EncodeToString([]byte(first+"more"))+`"}}`))
			if err != nil {
				t.Fatal(err)
			}
			if got := *out.Contents[0].Parts[0].InlineData.MIMEType; got != want {
				t.Errorf("%q is %s, not %s", first, got, want)
			}
		}
	}
}

func TestCleanDataIsNeitherCopiedNorDecoded(t *testing.T) {
	const size = 10 << 20
	in := &openaiapi.CreateChatCompletionRequest{Model: flash25, Messages: []openaiapi.ChatMessage{{
		Role: openaiapi.RoleUser,
		Content: wiretype.ValueOf([]openaiapi.ContentPart{
			{Type: openaiapi.ContentPartTypeImageURL, ImageURL: &openaiapi.ImageURL{URL: wiretype.ParseMediaURL("data:image/png;base64," + strings.Repeat("A", size))}},
			{Type: openaiapi.ContentPartTypeVideoURL, VideoURL: &openaiapi.VideoURL{URL: "data:video/mp4;base64," + strings.Repeat("A", size)}},
			{Type: openaiapi.ContentPartTypeInputAudio, InputAudio: &openaiapi.InputAudio{Data: strings.Repeat("A", size), Format: "wav"}},
			{Type: openaiapi.ContentPartTypeFile, File: &openaiapi.InputFile{FileData: new("data:application/pdf;base64," + strings.Repeat("A", size))}},
		}),
	}}}
	before := openaitest.Allocated()
	out, _, err := request.ToGemini(in, request.WithoutValidation())
	if err != nil {
		t.Fatal(err)
	}
	if used := openaitest.Allocated() - before; used > size/10 {
		t.Errorf("%d bytes were allocated", used)
	}
	for i, p := range out.Contents[0].Parts {
		if len(*p.InlineData.Data) != size {
			t.Errorf("part %d has %d bytes", i, len(*p.InlineData.Data))
		}
	}
}

func TestAddressesOfGoogleArePassedUnderAnyPolicy(t *testing.T) {
	t.Parallel()
	file := func(mimeType, uri string) string {
		if mimeType != "" {
			mimeType = `"mimeType":"` + mimeType + `",`
		}
		return seenAs(`{"fileData":{` + mimeType + `"fileUri":"` + uri + `"}}`)
	}
	cases := map[string]conversation{}
	for url, want := range map[string]string{
		"gs://bucket/a.PNG": file("image/png", "gs://bucket/a.PNG"),
		"gs://bucket/a":     file("", "gs://bucket/a"),
		"https://generativelanguage.googleapis.com/v1beta/files/abc": file("",
			"https://generativelanguage.googleapis.com/v1beta/files/abc"),
		"https://www.youtube.com/watch?v=abc.png": file("",
			"https://www.youtube.com/watch?v=abc.png"),
		"https://youtu.be/abc": file("",
			"https://youtu.be/abc"),
		"HTTPS://YouTube.com/watch?v=abc": file("",
			"HTTPS://YouTube.com/watch?v=abc"),
	} {
		cases[url] = conversation{messages: imageAt(url), want: want}
	}
	cases["files/abc"] = conversation{messages: imageAt("files/abc"),
		want:   file("", "https://generativelanguage.googleapis.com/v1beta/files/abc"),
		report: []string{"approximated /messages/0/content/0/image_url/url"}}
	converse(t, flash25, cases)
	converseBy(t, cases, inlining(nil))
	converseBy(t, cases, inlining(&concurrent{}))
	converse(t, flash25, map[string]conversation{
		"a file": {messages: imageAt("files/abc"), want: file("", "files/abc"), report: []string{"approximated /model"}},
		"video":  {messages: imageAt("https://youtu.be/abc"), want: file("video/mp4", "https://youtu.be/abc"), report: []string{"approximated /model"}},
	}, request.ForVertexAI())
}

func TestOtherAddressesAreErrors(t *testing.T) {
	t.Parallel()
	cases := map[string]conversation{}
	for _, url := range []string{"file:///etc/passwd", "ftp://a/b.png", "blob:https://a/b",
		"/a.png", "a.png", "https://", "gs://", "http://[::1", "https://a/%zz", "iVBO", "attachment:1"} {
		cases[url] = conversation{messages: imageAt(url),
			err: "/messages/0/content/0/image_url/url: "}
	}
	converse(t, flash25, cases)
}

// fetcher is a MediaFetcher that knows three addresses and records its requests.
type fetcher struct{ asked []string }

var errNoServer = errors.New("there is no such server")

func (f *fetcher) Head(_ context.Context, url string) (string, error) {
	f.asked = append(f.asked, "HEAD "+url)
	switch url {
	case "https://a.example/typed":
		return "Image/JPG; q=1", nil
	case "https://a.example/untyped":
		return "", nil
	default:
		return "", errNoServer
	}
}

func (f *fetcher) Fetch(_ context.Context, url string) (string, []byte, error) {
	f.asked = append(f.asked, "GET "+url)
	switch url {
	case "https://a.example/typed":
		return "image/png; q=1", []byte("a png"), nil
	case "https://a.example/untyped", "https://a.example/untyped.gif":
		return "application/octet-stream", []byte("\xff\xd8\xff\xe0 and so on"), nil
	case "https://a.example/strange.gif":
		return "", []byte("strange"), nil
	case "https://a.example/empty":
		return "image/png", nil, nil
	default:
		return "", nil, errNoServer
	}
}

func TestRemoteMediaArePassedByDefault(t *testing.T) {
	t.Parallel()
	cases := map[string]conversation{}
	for url, mimeType := range map[string]string{
		"https://a.example/b.png": "image/png", "https://a.example/b.JPG?w=1.gif": "image/jpeg",
		"http://a.example/b.webp#c.gif": "image/webp",
		"https://a.example/b.svg":       "image/svg+xml", "https://a.example/b.gif": "image/gif",
		"https://a.example/b.bmp": "image/bmp", "https://a.example/b.jpeg": "image/jpeg",
		"https://a.example/b.heic": "image/heic", "https://a.example/b": "",
		"https://a.example/b.new": "", "https://a.example": "",
		"https://a.example/files/b.pdf": "application/pdf",
	} {
		want := `{"fileData":{"mimeType":"` + mimeType + `","fileUri":"` + url + `"}}`
		cases[url] = conversation{messages: imageAt(url),
			want: seenAs(strings.Replace(want, `"mimeType":"",`, "", 1))}
	}
	converse(t, flash25, cases)
}

func TestRemoteMediaCanBeRefused(t *testing.T) {
	t.Parallel()
	refused := map[string]conversation{
		"an image": {messages: imageAt("https://a.example/b.png"), err: "/messages/0/content/0/image_url/url: must be a data URL, because media addresses are not allowed"},
		"a file":   {messages: asked(`{"type":"file","file":{"file_id":"https://a.example/b.pdf"}}`), err: "/messages/0/content/0/file/file_id: must be a data URL, because media addresses are not allowed"},
		"a video":  {messages: asked(`{"type":"video_url","video_url":{"url":"http://a.example/b.mp4"}}`), err: "/messages/0/content/0/video_url/url: must be a data URL, because media addresses are not allowed"},
	}
	converseBy(t, refused, inlining(nil))
}

func TestRemoteMediaCanBeInlined(t *testing.T) {
	t.Parallel()
	encoded := func(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) }
	const at = "/messages/0/content/0/image_url/url: "
	converseBy(t, map[string]conversation{
		"typed":         {messages: imageAt("https://a.example/typed"), want: inlined("image/png", encoded("a png"))},
		"by its bytes":  {messages: imageAt("https://a.example/untyped"), want: inlined("image/jpeg", encoded("\xff\xd8\xff\xe0 and so on"))},
		"by both":       {messages: imageAt("https://a.example/untyped.gif"), want: inlined("image/jpeg", encoded("\xff\xd8\xff\xe0 and so on"))},
		"by its name":   {messages: imageAt("https://a.example/strange.gif"), want: inlined("image/gif", encoded("strange"))},
		"empty":         {messages: imageAt("https://a.example/empty"), err: at + "the address has no data"},
		"not reachable": {messages: imageAt("https://b.example/"), err: at + "the media cannot be downloaded: there is no such server"},
	}, inlining(&concurrent{}))
	_, _, err := inlining(&fetcher{})(t, imageAt("https://b.example/"))
	if !errors.Is(err, errNoServer) {
		t.Errorf("got %v", err)
	}
}

// Media of a result that the model does not accept go into a user turn, so they are needed too.
func TestMediaOfMessagesOfTheSystemAreNotFetched(t *testing.T) {
	t.Parallel()
	const result = `{"messages":[{"role":"system","content":[{"type":"image_url","image_url":{"url":"https://a.example/typed"}}]},` +
		`{"role":"tool","tool_call_id":"a","content":[{"type":"image_url","image_url":{"url":"https://a.example/typed"}}]}]}`
	in := openaitest.DecodeRequest(t, result)
	var getter fetcher
	if _, err := request.InlineMedia(t.Context(), in, &getter); err != nil ||
		len(getter.asked) != 1 {
		t.Errorf("asked for %q, %v", getter.asked, err)
	}
}

func TestRemoteMediaOfEveryKindAreInlined(t *testing.T) {
	t.Parallel()
	image := base64.StdEncoding.EncodeToString([]byte("\xff\xd8\xff\xe0 and so on"))
	const at = "https://a.example/untyped"
	converseBy(t, map[string]conversation{
		"an image": {messages: asked(`{"type":"image_url","image_url":{"url":"` + at + `"}}`), want: inlined("image/jpeg", image)},
		"a video":  {messages: asked(`{"type":"video_url","video_url":{"url":"` + at + `"}}`), want: inlined("image/jpeg", image)},
		"a file":   {messages: asked(`{"type":"file","file":{"file_data":"` + at + `"}}`), want: inlined("image/jpeg", image)},
		"an id":    {messages: asked(`{"type":"file","file":{"file_id":"` + at + `"}}`), want: inlined("image/jpeg", image)},
		"a sound":  {messages: asked(`{"type":"input_audio","input_audio":{"data":"` + at + `","format":"wav"}}`), want: inlined("audio/wav", image)},
		"with a type": {messages: asked(`{"type":"image_url","image_url":{"url":"` + at +
			`"},"extra_content":{"google":{"mime_type":"image/x"}}}`),
			want: inlined("image/x", image)},
	}, inlining(&concurrent{}))
}

// inlining converts messages after a fetcher has downloaded their remote media.
func inlining(fetcher transform.MediaFetcher) func(*testing.T,
	string) (*geminiapi.GenerateContentRequest, report.Report, error) {
	return func(t *testing.T, messages string) (*geminiapi.GenerateContentRequest, report.Report,
		error) {
		t.Helper()
		in := openaitest.DecodeRequest(t, `{"model":"`+flash25+`","messages":[`+messages+`]}`)
		before := string(openaitest.EncodeRequest(t, in))
		inlined, err := request.InlineMedia(t.Context(), in, fetcher)
		if string(openaitest.EncodeRequest(t, in)) != before {
			t.Error("the request was changed")
		}
		if err != nil {
			checkRequestError(t, err)
			return nil, nil, err
		}
		return request.ToGemini(inlined, request.WithoutValidation())
	}
}

// concurrent is a fetcher that records nothing, for cases that run in parallel.
type concurrent struct{}

func (*concurrent) Head(ctx context.Context, url string) (string, error) {
	return (&fetcher{}).Head(ctx, url)
}
func (*concurrent) Fetch(ctx context.Context, url string) (string, []byte, error) {
	return (&fetcher{}).Fetch(ctx, url)
}

func TestTypesCanBeAskedFor(t *testing.T) {
	t.Parallel()
	f := &fetcher{}
	var content []string
	for _, url := range []string{"https://a.example/typed", "https://a.example/untyped",
		"https://b.example/", "https://a.example/b.png", "gs://b/a"} {
		content = append(content, `{"type":"image_url","image_url":{"url":"`+url+`"}}`)
	}
	in := openaitest.DecodeRequest(t,
		`{"model":"`+flash25+`","messages":[`+asked(strings.Join(content, ","))+`]}`)
	in, asking := request.NameMediaTypes(t.Context(), in, f)
	out, report, err := request.ToGemini(in, request.WithoutValidation())
	if err != nil {
		t.Fatal(err)
	}
	isConversation(t, out,
		seenAs(`{"fileData":{"mimeType":"image/jpeg","fileUri":"https://a.example/typed"}},{"fileData":{"fileUri":"https://a.example/untyped"}},`+
			`{"fileData":{"fileUri":"https://b.example/"}},{"fileData":{"mimeType":"image/png","fileUri":"https://a.example/b.png"}},{"fileData":{"fileUri":"gs://b/a"}}`),
		"")
	openaitest.Reports(t, asking, "approximated /messages/0/content/2/image_url/url")
	openaitest.Reports(t, report)
	if diff := cmp.Diff([]string{"HEAD https://a.example/typed", "HEAD https://a.example/untyped",
		"HEAD https://b.example/"}, f.asked); diff != "" {
		t.Error(diff)
	}
}

func TestDetailIsTheResolutionOfAPartSinceGemini3(t *testing.T) {
	t.Parallel()
	image := func(detail, extension string) string {
		return `{"type":"image_url","image_url":{"url":"gs://b/a.png"` + detail + `}` + extension +
			`}`
	}
	in := func(resolution string) string {
		return seenAs(`{"fileData":{"mimeType":"image/png","fileUri":"gs://b/a.png"}` + resolution +
			`}`)
	}
	const fine = `,"extra_content":{"google":{"media_resolution":{"level":"MEDIA_RESOLUTION_ULTRA_HIGH"}}}`
	converse(t, pro3, map[string]conversation{
		"low":          {messages: asked(image(`,"detail":"low"`, "")), want: in(`,"mediaResolution":{"level":"MEDIA_RESOLUTION_LOW"}`)},
		"high":         {messages: asked(image(`,"detail":"high"`, "")), want: in(`,"mediaResolution":{"level":"MEDIA_RESOLUTION_HIGH"}`)},
		"auto":         {messages: asked(image(`,"detail":"auto"`, "")), want: in("")},
		"unknown":      {messages: asked(image(`,"detail":"original"`, "")), want: in(""), report: []string{"lost /messages/0/content/0/image_url/detail"}},
		"Gemini's own": {messages: asked(image("", fine)), want: in(`,"mediaResolution":{"level":"MEDIA_RESOLUTION_ULTRA_HIGH"}`)},
		"both": {messages: asked(image(`,"detail":"low"`, fine)),
			want:   in(`,"mediaResolution":{"level":"MEDIA_RESOLUTION_ULTRA_HIGH"}`),
			report: []string{"approximated /messages/0/content/0/image_url/detail"}},
	})
}

func TestDetailIsTheFinestOfTheRequestBeforeGemini3(t *testing.T) {
	t.Parallel()
	for details, want := range map[string]string{
		"low": "MEDIA_RESOLUTION_LOW", "high": "MEDIA_RESOLUTION_HIGH", "auto": "",
		"low low": "MEDIA_RESOLUTION_LOW", "auto high": "MEDIA_RESOLUTION_HIGH",
		"low high": "MEDIA_RESOLUTION_HIGH approximated /messages/0/content/0/image_url/detail",
		"high low": "MEDIA_RESOLUTION_HIGH approximated /messages/0/content/1/image_url/detail",
	} {
		var content []string
		for detail := range strings.FieldsSeq(details) {
			content = append(content,
				`{"type":"image_url","image_url":{"url":"gs://b/a.png","detail":"`+detail+`"}}`)
		}
		out, report, err := talk(t, flash25, asked(strings.Join(content, ",")))
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if out.GenerationConfig != nil {
			got = string(deref(out.GenerationConfig.MediaResolution))
		}
		if got = strings.TrimSpace(got + " " +
			strings.Join(openaitest.Entries(report), " ")); got != want {
			t.Errorf("%s: got %q, want %q", details, got, want)
		}
	}
	out, report, err := talk(t, flash25,
		asked(`{"type":"image_url","image_url":{"url":"gs://b/a.png"},"extra_content":{"google":{"media_resolution":{"level":"MEDIA_RESOLUTION_ULTRA_HIGH"}}}}`))
	if err != nil || *out.GenerationConfig.MediaResolution != "MEDIA_RESOLUTION_HIGH" {
		t.Errorf("got %+v, %v", out, err)
	}
	openaitest.Reports(t, report,
		"approximated /messages/0/content/0/extra_content/google/media_resolution")
}

func TestRecordingsHaveTheTypeOfTheirFormat(t *testing.T) {
	t.Parallel()
	const format = "/messages/0/content/0/input_audio/format"
	for members, want := range map[string]string{
		`"data":"AAAA","format":"wav"`:                       "audio/wav AAAA",
		`"data":"AAAA","format":"mp3"`:                       "audio/mpeg AAAA",
		`"data":"AAAA","format":"MP3"`:                       "audio/mpeg AAAA",
		`"data":"AAAA","format":"flac"`:                      "audio/flac AAAA",
		`"data":"AAAA","format":"ogg"`:                       "audio/ogg AAAA",
		`"data":"AAAA","format":"pcm16"`:                     "audio/L16;rate=24000 AAAA",
		`"data":"AAAA","format":"audio/x-wav"`:               "audio/wav AAAA",
		`"data":"AAAA","format":"new"`:                       "audio/new AAAA",
		`"data":"SUQz"`:                                      "audio/mpeg SUQz",
		`"data":"AA\nAA","format":"wav"`:                     "audio/wav AAAA",
		`"data":"data:audio/wav;base64,AAAA","format":"wav"`: "audio/wav AAAA",
		`"data":"data:;base64,AAAA","format":"mp3"`:          "audio/mpeg AAAA",
		`"data":"data:audio/ogg;base64,AAAA","format":"mp3"`: "audio/ogg AAAA approximated " +
			format,
		`"data":"data:audio/L16;rate=16000;base64,AAAA"`: "audio/L16;rate=16000 AAAA",
	} {
		out, report, err := talk(t, flash25,
			asked(`{"type":"input_audio","input_audio":{`+members+`}}`))
		if err != nil {
			t.Errorf("%s: %v", members, err)
			continue
		}
		blob := out.Contents[0].Parts[0].InlineData
		if got := strings.Join(append([]string{*blob.MIMEType, *blob.Data},
			openaitest.Entries(report)...), " "); got != want {
			t.Errorf("%s: got %q, want %q", members, got, want)
		}
	}
}

func TestFilesComeInlineOrByTheirURI(t *testing.T) {
	t.Parallel()
	const name, data = "/messages/0/content/0/file/filename", "/messages/0/content/0/file/file_data"
	file := func(members string) string { return asked(`{"type":"file","file":{` + members + `}}`) }
	converse(t, flash25, map[string]conversation{
		"a data URL":            {messages: file(`"file_data":"data:application/pdf;base64,AAAA"`), want: inlined("application/pdf", "AAAA")},
		"a data URL and a name": {messages: file(`"file_data":"data:application/pdf;base64,AAAA","filename":"a.pdf"`), want: inlined("application/pdf", "AAAA"), report: []string{"lost " + name}},
		"base64 and a name":     {messages: file(`"file_data":"AAAA","filename":"a.CSV"`), want: inlined("text/csv", "AAAA"), report: []string{"approximated " + name}},
		"untyped and a name":    {messages: file(`"file_data":"data:application/octet-stream;base64,AAAA","filename":"a.md"`), want: inlined("text/md", "AAAA"), report: []string{"approximated " + name, "approximated " + data}},
		"base64 alone":          {messages: file(`"file_data":"JVBERi0xLjc="`), want: inlined("application/pdf", "JVBERi0xLjc=")},
		"nothing decides":       {messages: file(`"file_data":"AAAA","filename":"a"`), want: inlined("application/octet-stream", "AAAA"), report: []string{"lost " + name, "added " + data}},
		"a URI":                 {messages: file(`"file_id":"gs://b/a.pdf"`), want: seenAs(`{"fileData":{"mimeType":"application/pdf","fileUri":"gs://b/a.pdf"}}`)},
		"a URI and a name":      {messages: file(`"file_id":"https://generativelanguage.googleapis.com/v1beta/files/a","filename":"a.pdf"`), want: seenAs(`{"fileData":{"mimeType":"application/pdf","fileUri":"https://generativelanguage.googleapis.com/v1beta/files/a"}}`), report: []string{"approximated " + name}},
		"both":                  {messages: file(`"file_data":"data:application/pdf;base64,AAAA","file_id":"files/a"`), want: inlined("application/pdf", "AAAA"), report: []string{"lost /messages/0/content/0/file/file_id"}},
		"an id of OpenAI's":     {messages: file(`"file_id":"file-abc"`), err: "/messages/0/content/0/file/file_id: "},
		"none":                  {messages: asked(`{"type":"file","file":{}},{"type":"text","text":"a"}`), want: seenAs(`{"text":"a"}`), report: []string{"lost /messages/0/content/0"}},
		"no file at all":        {messages: asked(`{"type":"file"},{"type":"text","text":"a"}`), want: seenAs(`{"text":"a"}`), report: []string{"lost /messages/0/content/0"}},
	})
	converse(t, flash25, map[string]conversation{
		"the name": {messages: file(`"file_data":"data:application/pdf;base64,AAAA","filename":"a.pdf"`), report: []string{"approximated /model"},
			want: seenAs(`{"inlineData":{"mimeType":"application/pdf","data":"AAAA","displayName":"a.pdf"}}`)},
		"the name of a URI": {messages: file(`"file_id":"gs://b/a","filename":"a.pdf"`), report: []string{"approximated /model"},
			want: seenAs(`{"fileData":{"mimeType":"application/pdf","fileUri":"gs://b/a","displayName":"a.pdf"}}`)},
	}, request.ForVertexAI())
}

func TestDocumentsOfMistralsAreFiles(t *testing.T) {
	t.Parallel()
	const at = "/messages/0/content/0"
	document := func(members string) string { return asked(`{"type":"document_url",` + members + `}`) }
	const pdf = `{"fileData":{"mimeType":"application/pdf","fileUri":"https://a.example/a.pdf"}}`
	converse(t, flash25, map[string]conversation{
		"an address":              {messages: document(`"document_url":"https://a.example/a.pdf"`), want: seenAs(pdf)},
		"in an object":            {messages: document(`"document_url":{"url":"https://a.example/a.pdf","pages":2}`), want: seenAs(pdf), report: []string{"lost " + at + "/document_url/pages"}},
		"with a name":             {messages: document(`"document_url":"https://a.example/a.pdf","document_name":"b.pdf"`), want: seenAs(pdf), report: []string{"approximated " + at + "/document_name"}},
		"a name has the type":     {messages: document(`"document_url":"gs://b/a","document_name":"b.pdf"`), want: seenAs(`{"fileData":{"mimeType":"application/pdf","fileUri":"gs://b/a"}}`), report: []string{"approximated " + at + "/document_name"}},
		"a data URL":              {messages: document(`"document_url":"data:application/pdf;base64,AAAA"`), want: inlined("application/pdf", "AAAA")},
		"with an unknown member":  {messages: document(`"document_url":"https://a.example/a.pdf","x":1,"document_name":5`), want: seenAs(pdf), report: []string{"lost " + at + "/x", "lost " + at + "/document_name"}},
		"without an address":      {messages: asked(`{"type":"document_url"},{"type":"text","text":"a"}`), want: seenAs(`{"text":"a"}`), report: []string{"lost " + at}},
		"an address of no string": {messages: asked(`{"type":"document_url","document_url":5},{"type":"text","text":"a"}`), want: seenAs(`{"text":"a"}`), report: []string{"lost " + at + "/document_url", "lost " + at}},
		"to the system": {messages: `{"role":"system","content":[{"type":"document_url","document_url":"https://a.example/a.pdf"},{"type":"text","text":"A"}]},` +
			hello,
			want: helloIn, system: `{"text":"A"}`, report: []string{"lost " + at}},
	})
	in := openaitest.DecodeRequest(t,
		`{"model":"`+flash25+`","messages":[`+
			document(`"document_url":"https://a.example/typed","document_name":"b"`)+`]}`)
	got, err := request.InlineMedia(t.Context(), in, &fetcher{})
	if err != nil {
		t.Fatal(err)
	}
	out, _, err := request.ToGemini(got)
	if err != nil || out.Contents[0].Parts[0].InlineData == nil {
		t.Errorf("%+v, %v", out, err)
	}
}

func TestVideosHaveAClipAndAFrameRate(t *testing.T) {
	t.Parallel()
	const at = "/messages/0/content/0/video_url"
	video := func(members, extension string) string {
		return asked(`{"type":"video_url","video_url":{"url":"gs://b/a.mp4"` + members + `}` +
			extension + `}`)
	}
	in := func(metadata string) string {
		return seenAs(`{"fileData":{"mimeType":"video/mp4","fileUri":"gs://b/a.mp4"}` + metadata +
			`}`)
	}
	const own = `,"extra_content":{"google":{"video_metadata":{"fps":2,"startOffset":"1s"}}}`
	converse(t, flash25, map[string]conversation{
		"inline":          {messages: asked(`{"type":"video_url","video_url":{"url":"data:video/mp4;base64,AAAA"}}`), want: inlined("video/mp4", "AAAA")},
		"the whole":       {messages: video("", ""), want: in("")},
		"Gemini's own":    {messages: video("", own), want: in(`,"videoMetadata":{"fps":2,"startOffset":"1s"}`)},
		"next to the URL": {messages: video(`,"fps":0.5,"start_offset":"1.5s","endOffset":90`, ""), want: in(`,"videoMetadata":{"fps":0.5,"startOffset":"1.5s","endOffset":"90s"}`)},
		"both":            {messages: video(`,"fps":5,"end_offset":9`, own), want: in(`,"videoMetadata":{"fps":2,"startOffset":"1s","endOffset":"9s"}`), report: []string{"lost " + at + "/fps"}},
		"of other kinds":  {messages: video(`,"fps":"fast","start_offset":"later","end_offset":true,"detail":"low","new":null`, ""), want: in(""), report: []string{"lost " + at + "/fps", "lost " + at + "/start_offset", "lost " + at + "/end_offset", "lost " + at + "/detail"}},
		"without a video": {messages: asked(`{"type":"video_url","video_url":{"url":"","fps":1}},{"type":"text","text":"a"}`), want: seenAs(`{"text":"a"}`), report: []string{"lost /messages/0/content/0", "lost " + at + "/fps"}},
	})
}

func TestPartsSayMoreInTheirExtension(t *testing.T) {
	t.Parallel()
	image := func(members string) string {
		return asked(`{"type":"image_url","image_url":{"url":"data:image/png;base64,AAAA"},` +
			members + `}`)
	}
	const at = "/messages/0/content/0"
	converse(t, flash25, map[string]conversation{
		"type and metadata": {messages: image(`"extra_content":{"google":{"mime_type":"image/heic","part_metadata":{"k":1.50},"thought":false}}`),
			want:   seenAs(`{"inlineData":{"mimeType":"image/heic","data":"AAAA"},"partMetadata":{"k":1.50},"thought":false}`),
			report: []string{"approximated " + at + "/image_url/url"}},
		"members without a place": {messages: image(`"prompt_cache_breakpoint":{"mode":"explicit"},"index":0,"text":"a","cache_control":{},"extra_content":{"google":{"finish_message":"a","parts":[{}]}}`),
			want: inlined("image/png", "AAAA"),
			report: []string{"lost " + at + "/text", "lost " + at + "/prompt_cache_breakpoint",
				"lost " + at + "/index", "approximated " + at + "/cache_control",
				"approximated " + at + "/extra_content/google/finish_message",
				"lost " + at + "/extra_content/google/parts"}},
		"a text": {messages: asked(`{"type":"text","text":"a","extra_content":{"google":{"mime_type":"a/b","video_metadata":{},"part_metadata":{"k":1}}}}`),
			want: seenAs(`{"text":"a","partMetadata":{"k":1}}`),
			report: []string{"lost " + at + "/extra_content/google/mime_type",
				"lost " + at + "/extra_content/google/video_metadata"}},
		"a part of another type": {messages: asked(`{"type":"text","text":"a"},{"type":"thinking","thinking":"b"}`), want: seenAs(`{"text":"a"}`), report: []string{"lost /messages/0/content/1"}},
	})
}

func TestMembersOfOtherRolesAreReported(t *testing.T) {
	t.Parallel()
	members := map[string]string{
		"name": `"a"`, "annotations": `[{"type":"url_citation","url_citation":{"url":"a"}}]`,
		"audio": `{"id":"a"}`, "function_call": `{"name":"f"}`,
		"images":            `[{"type":"image_url","image_url":{"url":"gs://b/a"}}]`,
		"reasoning_content": `"a"`, "refusal": `"a"`, "tool_call_id": `"a"`,
		"tool_calls": `[{"id":"a"}]`,
		"new":        `1`,
	}
	for _, role := range []string{"user", "system"} {
		for name, value := range members {
			out, report, err := talk(t, flash25,
				fmt.Sprintf(`%s,{"role":%q,"content":"b",%q:%s}`, hello, role, name, value))
			if err != nil {
				t.Fatal(err)
			}
			if !report.Covers("/messages/1/"+name) || len(out.Contents) != 1 {
				t.Errorf("%s of %s: %v", name, role, report)
			}
		}
	}
}

func TestOnlyConvertedMediaIsDownloaded(t *testing.T) {
	t.Parallel()
	const images = `,"images":[{"type":"image_url","image_url":{"url":"https://a.example/typed"}}]}`
	f := &fetcher{}
	in := openaitest.DecodeRequest(t,
		`{"model":"`+flash25+`","messages":[{"role":"user","content":"a"`+images+
			`,{"role":"assistant","content":"b"`+images+`]}`)
	if _, err := request.InlineMedia(t.Context(), in, f); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"GET https://a.example/typed"}, f.asked); diff != "" {
		t.Error(diff)
	}
}

func TestWithoutAFetcherNothingIsAsked(t *testing.T) {
	t.Parallel()
	in := openaitest.DecodeRequest(t,
		`{"messages":[`+
			asked(`{"type":"image_url","image_url":{"url":"https://a.example/untyped"}}`)+`]}`)
	if out, report := request.NameMediaTypes(t.Context(), in, nil); out != in || report != nil {
		t.Errorf("got %+v, %v", out, report)
	}
}
