package answer

import (
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
)

// hasTool reports whether the request has a tool of a kind.
func (a *author) hasTool(isKind func(*geminiapi.Tool) bool) bool {
	for i := range a.Request.Tools {
		if isKind(&a.Request.Tools[i]) {
			return true
		}
	}
	return false
}

func isCodeExecution(t *geminiapi.Tool) bool { return t.CodeExecution != nil }

func isURLContext(t *geminiapi.Tool) bool { return t.URLContext != nil }

func isSearch(t *geminiapi.Tool) bool {
	return t.GoogleSearch != nil || t.GoogleSearchRetrieval != nil || t.EnterpriseWebSearch != nil
}

// executedCode returns the code that the model ran before it answered, if it has the tool: a
// program that counts the characters of the prompt.
func (a *author) executedCode() []geminiapi.Part {
	if !a.hasTool(isCodeExecution) || a.prompt.results != nil {
		return nil
	}
	text := quoted(a.prompt.text)
	code := "print(len(" + strconv.QuoteToASCII(text) + "))\n"
	return []geminiapi.Part{
		{ExecutableCode: &geminiapi.ExecutableCode{Language: new(geminiapi.CodeLanguagePython),
			Code: &code}},
		{CodeExecutionResult: &geminiapi.CodeExecutionResult{
			Outcome: new(geminiapi.CodeExecutionOutcomeOK),
			Output:  new(strconv.Itoa(len([]rune(text))) + "\n"),
		}},
	}
}

// describe adds the metadata of a candidate.
func (a *author) describe(c *geminiapi.Candidate) {
	text, part := lastText(c.Content.Parts)
	if text != "" && a.hasTool(isSearch) {
		c.GroundingMetadata = a.grounding(text, part)
	}
	if a.hasTool(isURLContext) {
		c.URLContextMetadata = a.retrieved()
	}
	if text != "" && a.config.ResponseLogprobs != nil && *a.config.ResponseLogprobs {
		c.LogprobsResult = a.logprobs(text)
	}
	if text != "" && (c.LogprobsResult != nil || a.isVertex) {
		c.AvgLogprobs = new(a.averageLogprob(text))
	}
}

// lastText returns the last text that is not a thought, and the index of its part.
func lastText(parts []geminiapi.Part) (text string, index int) {
	for i := len(parts) - 1; i >= 0; i-- {
		if parts[i].Text != nil && parts[i].Thought == nil {
			return *parts[i].Text, i
		}
	}
	return "", 0
}

// shownQuery is the maximum number of characters of the prompt in a search query.
const shownQuery = 60

// grounding cites two pages for the first line of the answer.
func (a *author) grounding(text string, part int) *geminiapi.GroundingMetadata {
	query := strings.Join(strings.Fields(a.prompt.text), " ")
	query = string([]rune(query)[:min(shownQuery, len([]rune(query)))])
	line, _, _ := strings.Cut(text, "\n")
	segment := &geminiapi.Segment{EndIndex: new(len(line)), Text: &line}
	if part > 0 {
		segment.PartIndex = &part
	}
	return &geminiapi.GroundingMetadata{
		WebSearchQueries: []string{query},
		SearchEntryPoint: &geminiapi.SearchEntryPoint{RenderedContent: new(`<div class="container"><a class="chip" href="https://www.google.com/search?q=` +
			url.QueryEscape(query) + `">search</a></div>`)},
		GroundingChunks: []geminiapi.GroundingChunk{
			{Web: &geminiapi.GroundingChunkWeb{URI: new("https://example.com/first"),
				Title: new("example.com")}},
			{Web: &geminiapi.GroundingChunkWeb{URI: new("https://example.org/second"),
				Title: new("example.org")}},
		},
		GroundingSupports: []geminiapi.GroundingSupport{{Segment: segment,
			GroundingChunkIndices: []int{0, 1}}},
	}
}

// addresses matches the URLs that the model should read.
var addresses = regexp.MustCompile(`https?://[^\s<>"'\]})]+`)

// maxRetrieved is the maximum number of pages, from Google's documentation.
const maxRetrieved = 20

// retrieved reports that the pages in the prompt were read. It returns nil for a prompt without
// pages.
func (a *author) retrieved() *geminiapi.URLContextMetadata {
	found := addresses.FindAllString(a.prompt.text, maxRetrieved)
	if len(found) == 0 {
		return nil
	}
	metadata := &geminiapi.URLContextMetadata{}
	for _, address := range found {
		metadata.URLMetadata = append(metadata.URLMetadata, geminiapi.URLMetadata{
			RetrievedURL:       &address,
			URLRetrievalStatus: new(geminiapi.URLRetrievalStatusSuccess),
		})
	}
	return metadata
}
