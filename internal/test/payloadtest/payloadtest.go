// Package payloadtest builds five example answers of Gemini for tests, benchmarks and examples: a
// short text, a tool call, a longer text, a grounded answer and an inline image. Their JSON is
// indented by two spaces, like a whole answer of the Gemini API. We wrote all texts ourselves.
package payloadtest

import (
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// Payload is one answer and its name in benchmarks.
type Payload struct {
	Name string
	Body []byte
}

// All returns the five payloads from the smallest to the largest. Each call builds them again.
func All() []Payload {
	return []Payload{
		{"ShortText", ShortText()},
		{"ToolCall", ToolCall()},
		{"LongText", LongText()},
		{"Grounded", Grounded()},
		{"InlineImage", InlineImage()},
	}
}

// ShortText returns an answer of about 800 bytes with one part of text and full usage.
func ShortText() []byte {
	return textAnswer("Bring 250 g of water to a boil, pour it over 15 g of ground coffee in three steps, "+
		"and wait half a minute between them. The cup is ready after about three minutes.",
		"aR5xZ8fyC42Pz7IPu-3D6Aw", 41, 39)
}

// ToolCall returns an answer with a signed call of a function with nested arguments, of about 900
// bytes.
func ToolCall() []byte {
	return mustIndent(`{"candidates":[{"content":{"parts":[{"functionCall":{"name":"find_trains",` +
		`"args":{"to":"Kyoto","from":"Tokyo","passengers":2,"depart_after":"2026-03-14T08:30:00+09:00",` +
		`"classes":["ordinary","green"],"options":{"max_changes":0,"flexible":true,"booking":9007199254740993}},"id":"call_7b1f03"},` +
		`"thoughtSignature":"` + base64.StdEncoding.EncodeToString(noise(120)) +
		`"}],"role":"model"},` +
		`"finishReason":"STOP","index":0,"finishMessage":"Model generated function call(s)."}],` +
		`"usageMetadata":{"promptTokenCount":212,"candidatesTokenCount":58,"totalTokenCount":371,` +
		`"promptTokensDetails":[{"modality":"TEXT","tokenCount":212}],"thoughtsTokenCount":101},` +
		`"modelVersion":"gemini-3-flash-preview","responseId":"1xR6aYnLB-Sz7dcP0J2m8Ao"}`)
}

// LongText returns an answer of about 3.5 KB. Nearly all of it is one text with escaped characters.
func LongText() []byte {
	var text strings.Builder
	for i := range 10 {
		fmt.Fprintf(&text,
			"## Step %d\n\nCopy the ledger into \"archive/%02d\", compare both totals, and note each line "+
				"that differs by more than 0.5 %% in the margin. Lines < 1 € may be skipped; a colleague signs the page "+
				"before the next one is opened. Keep the receipts – they are checked in spring.\n\n",
			i+1, i+1)
	}
	return textAnswer(text.String(), "9SJ6aZ3GKbWIxs0P4oTqsQ8", 88, 741)
}

// Grounded returns an answer of about 8 KB with search queries, web sources, and supports with the
// byte offsets and texts of sentences of the answer, some of them with characters of more than one
// byte.
func Grounded() []byte {
	var text, supports strings.Builder
	for i := range 13 {
		sentence := fmt.Sprintf(groundedSentences[i%len(groundedSentences)], 1990+i)
		start := text.Len()
		text.WriteString(sentence)
		if i > 0 {
			supports.WriteByte(',')
		}
		fmt.Fprintf(&supports,
			`{"segment":{"startIndex":%d,"endIndex":%d,"text":%s},"groundingChunkIndices":[%d,%d],"confidenceScores":[0.97%d,0.8125]}`,
			start, text.Len(), mustQuote(sentence), i%groundedSources, (i+2)%groundedSources, i)
		text.WriteString(" ")
	}
	return mustIndent(`{"candidates":[{"content":{"parts":[{"text":` + mustQuote(text.String()) +
		`}],"role":"model"},"finishReason":"STOP","index":0,` +
		`"groundingMetadata":{"searchEntryPoint":{"renderedContent":` + mustQuote(groundedWidget) +
		`},` +
		`"groundingChunks":[` + groundedChunks() + `],"groundingSupports":[` + supports.String() +
		`],` +
		`"webSearchQueries":["harbour town lighthouse history","灯台 港町 歴史"]}}],` +
		`"usageMetadata":{"promptTokenCount":19,"candidatesTokenCount":498,"totalTokenCount":634,` +
		`"promptTokensDetails":[{"modality":"TEXT","tokenCount":19}],"toolUsePromptTokenCount":52,` +
		`"toolUsePromptTokensDetails":[{"modality":"TEXT","tokenCount":52}],"thoughtsTokenCount":65},` +
		`"modelVersion":"gemini-2.5-flash","responseId":"c1h7aeTQEoOBxs0PjuLQ-AU"}`)
}

const (
	groundedSources = 5
	groundedWidget  = `<style>.chip{display:inline-block;border-radius:8px;padding:4px 8px}</style>` +
		`<div class="chips"><a class="chip" href="https://search.example/q?lighthouse&lang=en">harbour town lighthouse history</a></div>`
)

// groundedSentences has sentences about one year each.
var groundedSentences = []string{
	"In %d the keeper's house was turned into a small museum of navigation.",
	"The lamp was electrified in %d, and its beam reaches some 30 km on a clear night.",
	"港の灯台は%d年に修復されました。",
	"Visitors climb 142 steps to the gallery, which reopened in %d 🗼.",
	"The café facing the pier – opened in %d – keeps the old log books.",
}

func groundedChunks() string {
	var chunks []string
	for i := range groundedSources {
		chunks = append(chunks,
			fmt.Sprintf(`{"web":{"uri":"https://redirect.example/grounding/%s","title":"harbour-%d.example"}}`,
				base64.RawURLEncoding.EncodeToString(noise(45+i)), i+1))
	}
	return strings.Join(chunks, ",")
}

// InlineImageSize is the number of base64 characters in the answer of [InlineImage].
const InlineImageSize = 5 << 20

// InlineImage returns an answer with a caption and an image of [InlineImageSize]. The bytes begin
// with the signature of a PNG file. All other bytes are noise.
func InlineImage() []byte {
	png := append([]byte("\x89PNG\r\n\x1a\n"), noise(InlineImageSize/4*3-8)...)
	return mustIndent(`{"candidates":[{"content":{"parts":[{"text":"Here is the lighthouse at dusk."},` +
		`{"inlineData":{"mimeType":"image/png","data":"` + base64.StdEncoding.EncodeToString(png) +
		`"}}],"role":"model"},` +
		`"finishReason":"STOP","index":0}],"usageMetadata":{"promptTokenCount":9,"candidatesTokenCount":1299,"totalTokenCount":1308,` +
		`"promptTokensDetails":[{"modality":"TEXT","tokenCount":9}],"candidatesTokensDetails":[{"modality":"IMAGE","tokenCount":1290},` +
		`{"modality":"TEXT","tokenCount":9}]},"modelVersion":"gemini-2.5-flash-image","responseId":"T2F8acrpNdmBz7IP7tXxqAg"}`)
}

func textAnswer(text, id string, prompt, output int) []byte {
	return mustIndent(fmt.Sprintf(`{"candidates":[{"content":{"parts":[{"text":%s}],"role":"model"},"finishReason":"STOP",`+
		`"avgLogprobs":-0.18350149690508842,"index":0}],"usageMetadata":{"promptTokenCount":%d,"candidatesTokenCount":%d,"totalTokenCount":%d,`+
		`"promptTokensDetails":[{"modality":"TEXT","tokenCount":%d}],"candidatesTokensDetails":[{"modality":"TEXT","tokenCount":%d}]},`+
		`"modelVersion":"gemini-2.5-flash","responseId":%s}`, mustQuote(text), prompt, output,
		prompt+output, prompt, output, mustQuote(id)))
}

// noise returns n bytes that look random. They are always the same.
func noise(n int) []byte {
	var seed [32]byte
	seed[0] = byte(n)
	out := make([]byte, n)
	_, _ = rand.NewChaCha8(seed).Read(out) // never fails
	return out
}

// mustQuote panics on invalid UTF-8. All texts here are valid.
func mustQuote(text string) string {
	quoted, err := jsontext.AppendQuote(nil, text)
	if err != nil {
		panic(err)
	}
	return string(quoted)
}

// mustIndent panics on invalid JSON. All payloads here are valid.
func mustIndent(compact string) []byte {
	value := jsontext.Value(compact)
	if err := value.Indent(jsontext.WithIndent("  ")); err != nil {
		panic(err)
	}
	return value
}
