package request

import (
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/transform/internal/mediapart"
	"github.com/gemwire/gemwire/pkg/wiretype"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// partTypeDocumentURL is the type of a part with the address of a document in Mistral's API. OpenAI
// does not have it: {"type":"document_url","document_url":"https://...","document_name":"a.pdf"}.
// It is converted like a file.
const partTypeDocumentURL openaiapi.ContentPartType = "document_url"

// These are the members of such a part. The description does not have them.
const (
	memberDocumentURL  = "document_url"
	memberDocumentName = "document_name"
)

// isKnownPart reports whether a part type is in OpenAI's description, or is Mistral's document_url.
func isKnownPart(kind openaiapi.ContentPartType) bool {
	return kind.Valid() || kind == partTypeDocumentURL
}

// documentMembers returns the unknown members that the conversion of such a part uses.
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

// documentAddress returns the address of a document. Some clients wrap it in an object, as in
// image_url; object is that object.
func documentAddress(p *openaiapi.ContentPart) (address string, object jsontext.Value) {
	value := jsonx.Member(p.Unknown, memberDocumentURL)
	if value.Kind() == jsontext.KindBeginObject {
		return stringOf(jsonx.Member(value, "url")), value
	}
	return stringOf(value), nil
}

// setDocument sets the media's members from a document part.
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

// setDocumentURL replaces the address of a document by a URL with its data.
func setDocumentURL(p *openaiapi.ContentPart, url wiretype.MediaURL) {
	quoted, err := jsontext.AppendQuote(nil, url.String())
	if err != nil { // an address is not UTF-8, which ToGemini refuses
		return
	}
	p.Unknown = jsonx.MergeObjects(p.Unknown, jsonx.Object(memberDocumentURL, quoted))
}

// stringOf returns a JSON string, or "" for any other value.
func stringOf(value jsontext.Value) (text string) {
	if value.Kind() != jsontext.KindString || json.Unmarshal(value, &text) != nil {
		return ""
	}
	return text
}
