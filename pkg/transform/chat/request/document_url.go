package request

import (
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/transform/internal/mediapart"
	"github.com/gemwire/gemwire/pkg/wiretype"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// partTypeDocumentURL is the type of a part with the address of a document in Mistral's API, which
// OpenAI does not have:
// {"type":"document_url","document_url":"https://...","document_name":"a.pdf"}. It is converted
// like a file.
const partTypeDocumentURL openaiapi.ContentPartType = "document_url"

// The members of such a part. The description does not have them.
const (
	memberDocumentURL  = "document_url"
	memberDocumentName = "document_name"
)

// isKnownPart reports whether a type of parts is one of OpenAI's description, or Mistral's.
func isKnownPart(kind openaiapi.ContentPartType) bool {
	return kind.Valid() || kind == partTypeDocumentURL
}

// documentMembers returns the unknown members that a part of the type is converted by.
func documentMembers(p *openaiapi.ContentPart, kind openaiapi.ContentPartType) (names []string) {
	if kind != partTypeDocumentURL {
		return nil
	}
	if address, _ := documentAddress(p); address != "" {
		names = append(names, memberDocumentURL)
	}
	if stringOf(jsonx.Member(p.Unknown, memberDocumentName)) != "" {
		names = append(names, memberDocumentName)
	}
	return names
}

// documentAddress returns the address of a document, and the object that some clients put around
// it, as in image_url.
func documentAddress(p *openaiapi.ContentPart) (address string, object jsontext.Value) {
	value := jsonx.Member(p.Unknown, memberDocumentURL)
	if value.Kind() == jsontext.KindBeginObject {
		return stringOf(jsonx.Member(value, "url")), value
	}
	return stringOf(value), nil
}

// setDocument sets what a part has about a document.
func setDocument(out *mediapart.Media, p *openaiapi.ContentPart) {
	address, object := documentAddress(p)
	out.URL, out.Member = wiretype.ParseMediaURL(address), "/"+memberDocumentURL
	if object != nil {
		out.Member += "/url"
		out.Unknown = jsonx.MergeObjects(object, jsonx.Object("url", jsontext.Value("null")))
	}
	out.FileName, out.FileNameMember = stringOf(jsonx.Member(p.Unknown, memberDocumentName)),
		"/"+memberDocumentName
	out.Suggested = mediapart.TypeByName(out.FileName)
}

// setDocumentURL puts a document into a part, in place of its address.
func setDocumentURL(p *openaiapi.ContentPart, url wiretype.MediaURL) {
	quoted, err := jsontext.AppendQuote(nil, url.String())
	if err != nil { // of an address that is not UTF-8, which ToGemini refuses
		return
	}
	p.Unknown = jsonx.MergeObjects(p.Unknown, jsonx.Object(memberDocumentURL, quoted))
}

// stringOf returns a JSON string, "" for every other value.
func stringOf(value jsontext.Value) (text string) {
	if value.Kind() != jsontext.KindString || json.Unmarshal(value, &text) != nil {
		return ""
	}
	return text
}
