package dialogue

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
)

// Kind is the kind of a part.
type Kind string

// The kinds.
const (
	KindText       Kind = "text"
	KindThinking   Kind = "thinking"
	KindCall       Kind = "call"
	KindResult     Kind = "result"
	KindMedia      Kind = "media"
	KindCode       Kind = "code"
	KindCodeResult Kind = "code_result"
	KindSearch     Kind = "search"
	KindOther      Kind = "other"
)

// Part is one part of a message. Fields that its kind does not have are empty.
type Part struct {
	Kind Kind `json:"kind"`
	// Text is the text, the code, the output of code, or the queries of a search.
	Text string `json:"text"`
	// Name and ID are a function's or a tool's. Name is the language of code.
	Name string `json:"name"`
	ID   string `json:"id"`
	// JSON are the arguments of a call, a result, the sources of a search, or another part.
	JSON string `json:"json"`
	// MIME, Media, URI and Bytes describe media: the type, the hash of recorded bytes, the address
	// of a file, and the size.
	MIME  string `json:"mime"`
	Media string `json:"media"`
	URI   string `json:"uri"`
	Bytes int    `json:"bytes"`
	// Data is the base64 of a picture that is too small to be recorded apart from its JSON.
	Data string `json:"data,omitzero"`
	// Signature is a short hash of the thought signature, or "".
	Signature string `json:"signature"`
	// Thought reports that a part of any kind belongs to the model's thoughts.
	Thought bool `json:"thought"`
	// Gemini is the part's location in Gemini's document, and Client the nearest location in the
	// client's document. Both may be nil. The document of a stream is the list of its chunks.
	Gemini *string `json:"gemini"`
	Client *string `json:"client"`
}

// partOf returns a part without its locations, and the texts by which the client's document shows
// it, from the best to the worst.
func partOf(in *geminiapi.Part) (p Part, leads []string) {
	p.Thought = jsonx.Deref(in.Thought)
	p.Signature = SignatureHash(jsonx.Deref(in.ThoughtSignature))
	switch {
	case in.FunctionCall != nil:
		call := in.FunctionCall
		p.Kind, p.Name, p.ID = KindCall, jsonx.Deref(call.Name), jsonx.Deref(call.ID)
		p.JSON = compact(call.Args)
		leads = []string{p.ID, p.JSON, p.Name}
	case in.FunctionResponse != nil:
		result := in.FunctionResponse
		p.Kind, p.Name, p.ID = KindResult, jsonx.Deref(result.Name), jsonx.Deref(result.ID)
		p.JSON = compact(result.Response)
		leads = append(append([]string{p.ID}, stringsOf(result.Response)...), p.JSON, p.Name)
	case in.InlineData != nil:
		data := jsonx.Deref(in.InlineData.Data)
		p.Kind, p.MIME = KindMedia, jsonx.Deref(in.InlineData.MIMEType)
		p.Name = jsonx.Deref(in.InlineData.DisplayName)
		p.Media, p.Bytes = mediaOf(data)
		if p.Media == "" && p.Bytes < smallPicture && strings.HasPrefix(p.MIME, "image/") {
			p.Data = data
		}
		leads = []string{data}
	case in.FileData != nil:
		p.Kind, p.MIME = KindMedia, jsonx.Deref(in.FileData.MIMEType)
		p.Name, p.URI = jsonx.Deref(in.FileData.DisplayName), jsonx.Deref(in.FileData.FileURI)
		leads = []string{p.URI}
	case in.ExecutableCode != nil:
		p.Kind, p.ID = KindCode, jsonx.Deref(in.ExecutableCode.ID)
		p.Text = jsonx.Deref(in.ExecutableCode.Code)
		p.Name = string(jsonx.Deref(in.ExecutableCode.Language))
		leads = []string{p.Text, p.ID}
	case in.CodeExecutionResult != nil:
		p.Kind, p.ID = KindCodeResult, jsonx.Deref(in.CodeExecutionResult.ID)
		p.Text = jsonx.Deref(in.CodeExecutionResult.Output)
		p.Name = string(jsonx.Deref(in.CodeExecutionResult.Outcome))
		leads = []string{p.Text, p.ID}
	case in.ToolCall != nil:
		p = p.ofTool(string(jsonx.Deref(in.ToolCall.ToolType)), in.ToolCall)
		p.ID = jsonx.Deref(in.ToolCall.ID)
		leads = append(stringsOf(in.ToolCall.Args), p.ID)
	case in.ToolResponse != nil:
		p = p.ofTool(string(jsonx.Deref(in.ToolResponse.ToolType)), in.ToolResponse)
		p.ID = jsonx.Deref(in.ToolResponse.ID)
		leads = append(stringsOf(in.ToolResponse.Response), p.ID)
	case in.Text != nil:
		p.Kind, p.Text = KindText, *in.Text
		if p.Thought {
			p.Kind = KindThinking
		}
		leads = []string{p.Text, jsonx.Deref(in.ThoughtSignature)}
	case p.Signature != "":
		p.Kind, leads = KindText, []string{*in.ThoughtSignature}
	default:
		p.Kind, p.JSON = KindOther, compact(in)
	}
	return p, leads
}

// ofTool returns the part of a tool that Google's servers run.
func (p Part) ofTool(name string, value any) Part {
	p.Kind, p.Name, p.JSON = KindOther, name, compact(value)
	if strings.Contains(name, "SEARCH") {
		p.Kind = KindSearch
	}
	return p
}

// placeholder is the word that gemwire and other clients send for a missing thought signature. It
// is no signature. https://ai.google.dev/gemini-api/docs/thought-signatures
const placeholder = "skip_thought_signature_validator"

// SignatureHash returns a short hash that stands for a thought signature, or "" for none.
func SignatureHash(signature string) string {
	if signature == "" || signature == placeholder {
		return ""
	}
	sum := sha256.Sum256([]byte(signature))
	return hex.EncodeToString(sum[:5])
}

// smallPicture is the size below which the recorder leaves a picture in its JSON.
const smallPicture = 1 << 10

// mediaTag begins a text that stands for media which are recorded once:
// "[gemwire media sha256:<hex> image/png 81234 bytes]".
const mediaTag = "[gemwire media sha256:"

// mediaOf returns the hash of recorded media, if there is one, and their size.
func mediaOf(data string) (hash string, size int) {
	tag, found := strings.CutPrefix(data, mediaTag)
	words := strings.Fields(strings.TrimSuffix(tag, "]"))
	if !found || len(words) < 3 {
		return "", len(strings.TrimRight(data, "=")) * 3 / 4
	}
	size, _ = strconv.Atoi(words[len(words)-2])
	return words[0], size
}

func decimal(n int) string { return strconv.Itoa(n) }
