package line

import (
	"crypto/sha256"
	"fmt"
	"math"
	"slices"
	"unicode/utf8"

	"github.com/gemwire/gemwire/internal/codec"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// checker converts raw lines to lines, and checks that they agree with each other.
type checker struct {
	settings settings
	format   Format
	url      string
	endpoint *endpoint
	model    string   // of the first line
	models   []string // of all lines, each once
	seen     map[digest]uint32
	texts    int // to be embedded, of all lines so far
}

// digest replaces an id. The digests of a million ids take little memory, however long the ids are.
type digest [16]byte

// check returns the line, or what is wrong with it.
func (c *checker) check(raw rawLine) (Line, *Problem) {
	if raw.problem != nil {
		return Line{}, raw.problem
	}
	e, problem := readEnvelope(raw.data)
	if problem != nil {
		return Line{}, problem
	}
	if c.format == "" {
		c.format = e.format()
	}
	l := Line{Number: raw.number}
	var wanted asked
	if c.format == Gemini {
		wanted, problem = c.fillGemini(&l, e)
	} else {
		wanted, problem = c.fillOpenAI(&l, e)
	}
	if problem == nil {
		problem = c.agreeOnModel(wanted.model)
	}
	if problem == nil {
		problem = c.countTexts(wanted.texts)
	}
	return l, problem
}

// envelope has the members of a line in either format.
type envelope struct {
	CustomID jsontext.Value `json:"custom_id"`
	Method   jsontext.Value `json:"method"`
	URL      jsontext.Value `json:"url"`
	Body     jsontext.Value `json:"body"`

	Key      jsontext.Value `json:"key"`
	Request  jsontext.Value `json:"request"`
	Metadata struct {
		Key jsontext.Value `json:"key"`
	} `json:"metadata"` // where requests within a batch of Gemini have their key
}

// format detects the format by the member that only one of them has.
func (e *envelope) format() Format {
	if e.Body == nil && e.Request != nil {
		return Gemini
	}
	return OpenAI
}

// payloadLine is the name of a line in decoding errors.
var payloadLine = codec.Payload{Wire: "line", Name: "request"}

// readEnvelope reads the members around a request. The request's own decoder judges texts that are
// not UTF-8.
func readEnvelope(data []byte) (*envelope, *Problem) {
	var e envelope
	err := codec.CheckRoot(payloadLine, data)
	if err == nil {
		if err = json.Unmarshal(data, &e, jsontext.AllowInvalidUTF8(true)); err == nil {
			return &e, nil
		}
		err = codec.NewMalformedError(payloadLine, data, err)
	}
	p := problemOf(CodeInvalidJSON, "", err)
	return nil, &p
}

const messageUTF8 = "must be valid UTF-8"

// takeText reads a member that must be a string.
func takeText(value jsontext.Value, param string) (string, *Problem) {
	switch value.Kind() {
	case jsontext.KindInvalid, jsontext.KindNull:
		return "", &Problem{Code: CodeMissing, Param: param, Message: "must be set"}
	case jsontext.KindString:
	default:
		return "", &Problem{Code: CodeInvalidValue, Param: param, Message: "must be a text"}
	}
	text, err := jsontext.AppendUnquote(nil, value)
	switch {
	case err != nil || !utf8.Valid(text):
		return "", &Problem{Code: CodeInvalidValue, Param: param, Message: messageUTF8}
	case len(text) == 0:
		return "", &Problem{Code: CodeInvalidValue, Param: param, Message: "must not be empty"}
	}
	return string(text), nil
}

// takeObject reads a member that must be an object.
func takeObject(value jsontext.Value, param string) *Problem {
	switch value.Kind() {
	case jsontext.KindBeginObject:
		return nil
	case jsontext.KindInvalid, jsontext.KindNull:
		return &Problem{Code: CodeMissing, Param: param, Message: "must be set"}
	default:
		return &Problem{Code: CodeInvalidValue, Param: param, Message: "must be an object"}
	}
}

// fillOpenAI reads a line of OpenAI's format.
func (c *checker) fillOpenAI(l *Line, e *envelope) (wanted asked, problem *Problem) {
	if problem = c.takeID(l, e.CustomID, "/custom_id"); problem != nil {
		return wanted, problem
	}
	method, problem := takeText(e.Method, "/method")
	if problem != nil {
		return wanted, problem
	}
	if method != "POST" {
		return wanted, &Problem{Code: CodeInvalidMethod, Param: "/method",
			Message: `must be "POST"`}
	}
	if l.URL, problem = takeText(e.URL, "/url"); problem != nil {
		return wanted, problem
	}
	if problem = c.agreeOnURL(l.URL); problem != nil {
		return wanted, problem
	}
	if problem = takeObject(e.Body, "/body"); problem != nil {
		return wanted, problem
	}
	l.Body = e.Body
	if c.settings.model != "" {
		l.Body = withModel(e.Body, c.settings.model)
	}
	wanted, err := c.endpoint.check(l.Body, !c.settings.leavesInvalid)
	return wanted, asProblem("/body", err)
}

// withModel returns a body with another model. A body that cannot be changed is malformed, and its
// decoder reports that.
func withModel(body jsontext.Value, model string) jsontext.Value {
	text, err := jsontext.AppendQuote(nil, model)
	if err != nil {
		return body
	}
	changed, err := jsonx.Set(body, "/model", text)
	if err != nil {
		return body
	}
	return changed
}

// fillGemini reads a line of Gemini's format.
func (c *checker) fillGemini(l *Line, e *envelope) (wanted asked, problem *Problem) {
	key := e.Key
	if key == nil {
		key = e.Metadata.Key
	}
	if problem = c.takeID(l, key, "/key"); problem != nil {
		return wanted, problem
	}
	if problem = takeObject(e.Request, "/request"); problem != nil {
		return wanted, problem
	}
	l.Body = e.Request
	wanted, err := checkGemini(l.Body, c.settings.model, !c.settings.leavesInvalid)
	if err != nil {
		return wanted, asProblem("/request", err)
	}
	l.URL = geminiPath + wanted.model + ":generateContent"
	if c.url == "" {
		c.url = l.URL
	}
	return wanted, nil
}

// agreeOnURL checks that all lines have the same url.
func (c *checker) agreeOnURL(url string) *Problem {
	if c.endpoint == nil {
		want := c.settings.endpoint
		if want == "" {
			want = url
		}
		endpoints := endpointsOf(c.settings.forms)
		found := findEndpoint(endpoints, want)
		if found == nil {
			return &Problem{Code: CodeInvalidURL, Param: "/url",
				Message: "must be one of " + urls(endpoints)}
		}
		c.endpoint, c.url = found, want
	}
	if url != c.url {
		return &Problem{Code: CodeURLMismatch, Param: "/url",
			Message: fmt.Sprintf("must be %q, as in the other lines", c.url)}
	}
	return nil
}

// agreeOnModel checks that all lines have the same model, unless several are allowed.
func (c *checker) agreeOnModel(model string) *Problem {
	param := "/body/model"
	if c.format == Gemini {
		param = "/request/model"
	}
	switch {
	case model == "":
		return &Problem{Code: CodeMissing, Param: param, Message: "must be set"}
	case c.model == "":
		c.model = model
	case c.model != model && c.settings.severalModels:
	case c.model != model:
		return &Problem{Code: CodeModelMismatch, Param: param,
			Message: "all lines must use the same model"}
	}
	if len(c.models) < maxModels && !slices.Contains(c.models, model) {
		c.models = append(c.models, model)
	}
	return nil
}

// maxModels is the maximum number of models that are listed.
const maxModels = 100

// countTexts checks the limit on the texts of all lines. The error names the first line that
// exceeds it.
func (c *checker) countTexts(n int) *Problem {
	most, before := c.settings.maxTexts, c.texts
	c.texts += n
	if most <= 0 || before > most || c.texts <= most {
		return nil
	}
	return &Problem{Code: CodeTooManyTasks, Param: "/body/input",
		Message: fmt.Sprintf("there are more than %d texts; that is the maximum", most)}
}

// takeID reads the id of a line, which must be unique.
func (c *checker) takeID(l *Line, value jsontext.Value, param string) (problem *Problem) {
	if l.CustomID, problem = takeText(value, param); problem != nil {
		return problem
	}
	sum := sha256.Sum256([]byte(l.CustomID))
	id := digest(sum[:len(digest{})])
	if first, isThere := c.seen[id]; isThere {
		return &Problem{Code: CodeDuplicateID, Param: param,
			Message: fmt.Sprintf("must be unique; line %d has the same", first)}
	}
	c.seen[id] = uint32(min(l.Number, math.MaxUint32))
	return nil
}
