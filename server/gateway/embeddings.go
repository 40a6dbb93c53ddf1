package gateway

import (
	"net/http"
	"strconv"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/wiretype"
	"github.com/gemwire/gemwire/server/gateway/exchange"
	"github.com/gemwire/gemwire/server/gateway/internal/embed"
	"github.com/gemwire/gemwire/server/gateway/internal/inbound"
	"github.com/gemwire/gemwire/server/gateway/internal/problem"
	"github.com/gemwire/gemwire/server/gateway/internal/turn"
	"github.com/gemwire/gemwire/server/gateway/internal/upstream"
	"github.com/gemwire/gemwire/server/gateway/internal/vector"
	"github.com/go-json-experiment/json/jsontext"
)

// embeddingsPath is the path of embedding requests.
const embeddingsPath = "/v1/embeddings"

// embeddingsForm is OpenAI's Embeddings API.
var embeddingsForm = openAIOperation("embeddings")

// CreateEmbedding answers a request for embeddings.
func (s openAIServer) CreateEmbedding(w http.ResponseWriter, r *http.Request) {
	s.serve(w, r, &embeddingsForm, (*call).createEmbedding)
}

// createEmbedding answers a request for embeddings.
func (c *call) createEmbedding() *problem.Problem {
	e, p := readEmbeddings(c)
	if p != nil {
		return p
	}
	return e.answer()
}

// embeddings is a request for embeddings while the gateway serves it.
type embeddings struct {
	*call
	by answeredBy
	turn.Conversion
	texts    embed.Request
	asked    string
	isBase64 bool
	report   report.Report // of the request
}

// readEmbeddings reads a request.
func readEmbeddings(c *call) (*embeddings, *problem.Problem) {
	in, err := openai.DecodeEmbeddingRequest(c.body)
	if err != nil {
		return nil, problem.Unreadable(err)
	}
	if p := c.askFor(in.Model); p != nil {
		return nil, p
	}
	if p := checkEmbeddings(in); p != nil {
		return nil, p
	}
	texts, p := textsOf(in.Input)
	if p != nil {
		return nil, p
	}
	e := &embeddings{
		call: c, Conversion: c.wanted, asked: in.Model,
		texts: embed.Request{
			Texts: texts, Dimensions: in.Dimensions, OnVertexAI: c.upstream.isVertexAI(),
			Begin: func(model string) ([]gemini.CallOption, func(error)) {
				return c.recorders.Captured(false, c.limits(model).options(false))
			},
		},
		isBase64: jsonx.Deref(in.EncodingFormat) == openaiapi.EncodingFormatBase64,
	}
	if in.User != nil {
		e.report.Add(report.Lost, "/user", "Gemini has no end-user field")
	}
	if p, isLossy := e.RefuseLosses(e.report).(*problem.Problem); isLossy {
		c.end.Lost = len(e.report)
		c.recorders.Report(exchange.Client, e.report)
		return nil, p
	}
	return e, nil
}

// checkEmbeddings returns what is wrong with a request, apart from its input.
func checkEmbeddings(in *openaiapi.CreateEmbeddingRequest) *problem.Problem {
	if p := problem.UnknownEmbeddingMember(in); p != nil {
		return p
	}
	format := jsonx.Deref(in.EncodingFormat)
	switch {
	case in.Model == "": // the default model writes answers
		return problem.Invalid("missing_required_parameter", "/model", "/model: must be set")
	case format != "" && !format.Valid():
		return problem.Invalid("", "/encoding_format",
			`/encoding_format: must be "float" or "base64"`)
	case in.Dimensions != nil && *in.Dimensions < 1:
		return problem.Invalid("", "/dimensions", "/dimensions: must be at least 1")
	}
	return nil
}

// maxTexts is the number of texts that OpenAI accepts at once.
const maxTexts = 2048

// textsOf returns the texts of an input.
func textsOf(input wiretype.StringOr[[]wiretype.StringOr[jsontext.Value]]) ([]string,
	*problem.Problem) {
	if text, isText := input.AsString(); isText {
		if text == "" {
			return nil, emptyText("/input")
		}
		return []string{text}, nil
	}
	elements, _ := input.AsValue()
	switch {
	case len(elements) == 0:
		return nil, problem.Invalid("missing_required_parameter", "/input",
			"/input: must be a text, or a list with at least one text")
	case len(elements) > maxTexts:
		return nil, problem.Invalid("", "/input",
			"/input: has "+strconv.Itoa(len(elements))+" texts; expected at most "+
				strconv.Itoa(maxTexts))
	}
	texts := make([]string, len(elements))
	for i, element := range elements {
		text, isText := element.AsString()
		pointer := "/input/" + strconv.Itoa(i)
		switch {
		case !isText:
			return nil, notText(pointer, element)
		case text == "":
			return nil, emptyText(pointer)
		}
		texts[i] = text
	}
	return texts, nil
}

func emptyText(pointer string) *problem.Problem {
	return problem.Invalid("", pointer, pointer+": must not be empty")
}

// notText refuses an element that is not a text. OpenAI also accepts the ids of its own tokens.
// Libraries that count tokens send these ids unless they are configured not to.
func notText(pointer string, element wiretype.StringOr[jsontext.Value]) *problem.Problem {
	value, _ := element.AsValue()
	if kind := value.Kind(); kind != jsontext.KindNumber && kind != jsontext.KindBeginArray {
		return problem.Invalid("", pointer, pointer+": must be a text")
	}
	return problem.Invalid("unsupported_value", pointer,
		pointer+": token ids are not supported by Gemini; send the text itself"+
			" (in LangChain for Python, set check_embedding_ctx_length=False)")
}

// answer asks for the embeddings and writes the vectors. It calls no fallback model, because
// vectors of two models cannot be compared.
func (e *embeddings) answer() *problem.Problem {
	route, p := e.route(e.asked)
	if p != nil {
		return p
	}
	if e.convertsOnly() {
		return e.convertOnly(route[0])
	}
	own, p := e.ownAccount()
	if p != nil {
		return p
	}
	if p := e.reserve(estimate{model: route[0], hasNoOutput: true}); p != nil {
		return p
	}
	ctx, cancel := e.limited(route)
	defer cancel()
	upstreamCall := &upstream.Call{
		Models: route[:1], Method: "embedContent", Attempts: e.maxAttempts(), Only: own, Try: func(t *upstream.Try) error {
			e.by.begin(t)
			return e.texts.Embed(inbound.Answer(ctx), t)
		},
		OnAttempt: e.onAttempt(), RequestID: e.id,
	}
	if err := e.pool.Run(ctx, upstreamCall); err != nil {
		e.ended(route[0], nil)
		return e.failed(err)
	}
	return e.write(route[0])
}

// write writes the vectors.
func (e *embeddings) write(model string) *problem.Problem {
	isScaled := e.texts.Dimensions != nil && !e.modelAt(model).Traits.NormalizesEmbeddings
	if isScaled {
		for _, values := range e.texts.Found.Values {
			vector.Normalize(values)
		}
	}
	report := e.texts.Found.Report(isScaled)
	e.ended(model, report)
	out := &openaiapi.CreateEmbeddingResponse{
		Object: openaiapi.ObjectTypeList, Model: e.asked, Data: e.data(),
		Usage: openaiapi.EmbeddingUsage{PromptTokens: e.texts.Found.Tokens,
			TotalTokens: e.texts.Found.Tokens},
	}
	var extra *openaiapi.ExtraContent
	err := e.List(&extra, e.report, report)
	if extra != nil {
		out.Unknown = jsonx.Object("extra_content", extra.Unknown)
	}
	buf := takeBuffer()
	defer buf.release()
	if err == nil {
		buf.data, err = openai.AppendEmbeddingResponse(buf.data, out)
	}
	if err != nil {
		return e.failed(err)
	}
	e.showModel(model)
	e.writer.Header().Set(headerLosses, strconv.Itoa(e.end.Lost))
	e.writeWhole(http.StatusOK, buf.data)
	return nil
}

// ended records the outcome. The report is the answer's report.
func (e *embeddings) ended(model string, entries report.Report) {
	end := &e.end
	e.by.tried = model
	e.noteModels(&e.by)
	end.Service, end.UsageEstimated = e.service(), e.texts.Found.IsEstimated
	end.Lost, end.Approximated, end.Added = len(e.report), len(entries.Of(report.Approximated)),
		len(entries.Of(report.Added))
	e.noteCost(&e.by, nil, normalize.Usage{InputTokens: e.texts.Found.Tokens,
		TotalTokens: e.texts.Found.Tokens})
	e.recorders.Report(exchange.Client, e.report)
	e.recorders.Report(exchange.Upstream, entries)
}

// data returns the vectors in the encoding that the client requested.
func (e *embeddings) data() []openaiapi.Embedding {
	data := make([]openaiapi.Embedding, len(e.texts.Found.Values))
	for i, values := range e.texts.Found.Values {
		data[i] = openaiapi.Embedding{Object: openaiapi.ObjectTypeEmbedding, Index: i}
		if e.isBase64 {
			data[i].Embedding = wiretype.StringOf[[]float64](vector.Base64(values))
		} else {
			data[i].Embedding = wiretype.ValueOf(values)
		}
	}
	return data
}
