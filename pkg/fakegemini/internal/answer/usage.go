package answer

import (
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/go-json-experiment/json"
)

// The token counts of media of any size. An image and a page of a document have 258 tokens, from
// Google's documentation. Sound counts like ten seconds, and video like one second.
const (
	imageTokens    = 258
	documentTokens = 258
	videoTokens    = 263
	audioTokens    = 320
)

// usage counts the tokens of the question and of its answers. The total is the sum of prompt,
// candidates, thoughts and the tokens that tools added to the prompt, as on both backends.
func (a *author) usage(candidates []geminiapi.Candidate) *geminiapi.UsageMetadata {
	prompt := a.promptCount()
	u := &geminiapi.UsageMetadata{
		PromptTokenCount:    new(prompt.total()),
		PromptTokensDetails: prompt.details(),
	}
	total := prompt.total()
	set := func(member **int, count int) {
		if count > 0 {
			*member = &count
			total += count
		}
	}
	answers := candidateCount(candidates)
	set(&u.CandidatesTokenCount, answers.total())
	set(&u.ThoughtsTokenCount, a.thoughtTokens())
	set(&u.ToolUsePromptTokenCount, a.toolTokens(candidates))
	if u.ToolUsePromptTokenCount != nil {
		u.ToolUsePromptTokensDetails = modalityCount{text: *u.ToolUsePromptTokenCount}.details()
	}
	if a.CachedTokens > 0 {
		u.CachedContentTokenCount = &a.CachedTokens
		u.CacheTokensDetails = modalityCount{text: a.CachedTokens}.details()
	}
	if a.isVertex || answers.image > 0 {
		u.CandidatesTokensDetails = answers.details()
	}
	a.addTier(u)
	u.TotalTokenCount = &total
	return u
}

// addTier adds the service tier of the request.
func (a *author) addTier(u *geminiapi.UsageMetadata) {
	switch {
	case a.isVertex:
		u.TrafficType = new(geminiapi.TrafficTypeOnDemand)
	case a.isGemini3:
		u.ServiceTier = new(geminiapi.ServiceTierStandard)
	}
}

// toolTokens returns the tokens that server tools added to the prompt.
func (a *author) toolTokens(candidates []geminiapi.Candidate) int {
	count := 0
	for i := range candidates {
		if candidates[i].Content == nil {
			continue
		}
		for j := range candidates[i].Content.Parts {
			if candidates[i].Content.Parts[j].ExecutableCode != nil {
				count += 100
			}
		}
		if candidates[i].URLContextMetadata != nil {
			count += 50 * len(candidates[i].URLContextMetadata.URLMetadata)
		}
	}
	return count
}

// modalityCount is a number of tokens by modality.
type modalityCount struct{ text, image, video, audio, document int }

func (m modalityCount) total() int { return m.text + m.image + m.video + m.audio + m.document }

// details lists the modalities with tokens.
func (m modalityCount) details() []geminiapi.ModalityTokenCount {
	var out []geminiapi.ModalityTokenCount
	for _, of := range []struct {
		modality geminiapi.Modality
		count    int
	}{
		{geminiapi.ModalityText, m.text}, {geminiapi.ModalityImage, m.image},
		{geminiapi.ModalityVideo, m.video},
		{geminiapi.ModalityAudio, m.audio}, {geminiapi.ModalityDocument, m.document},
	} {
		if of.count > 0 {
			out = append(out,
				geminiapi.ModalityTokenCount{Modality: &of.modality, TokenCount: &of.count})
		}
	}
	return out
}

// add counts the parts of a content.
func (m *modalityCount) add(parts []geminiapi.Part) {
	for i := range parts {
		switch part := &parts[i]; {
		case part.Thought != nil && *part.Thought: // counts as thoughts
		case part.Text != nil:
			m.text += countTokens(*part.Text)
		case part.InlineData != nil:
			m.addMedia(part.InlineData.MIMEType)
		case part.FileData != nil:
			m.addMedia(part.FileData.MIMEType)
		default:
			rest := *part
			rest.ThoughtSignature = nil
			encoded, _ := json.Marshal(&rest)
			m.text += countTokens(string(encoded))
		}
	}
}

func (m *modalityCount) addMedia(mimeType *string) {
	kind, _, _ := strings.Cut(mediaType(mimeType), "/")
	switch strings.ToLower(kind) {
	case "image":
		m.image += imageTokens
	case "video":
		m.video += videoTokens
	case "audio":
		m.audio += audioTokens
	default:
		m.document += documentTokens
	}
}

// promptCount counts everything that a model reads of a request, and the cached tokens.
func (a *author) promptCount() modalityCount {
	r := a.Request
	count := modalityCount{text: a.CachedTokens}
	if r.SystemInstruction != nil {
		count.add(r.SystemInstruction.Parts)
	}
	for i := range r.Contents {
		count.add(r.Contents[i].Parts)
	}
	if len(r.Tools) > 0 {
		encoded, _ := gemini.EncodeRequest(&geminiapi.GenerateContentRequest{Tools: r.Tools})
		count.text += countTokens(string(encoded))
	}
	count.text = max(count.text, 1)
	return count
}

func candidateCount(candidates []geminiapi.Candidate) modalityCount {
	var count modalityCount
	for i := range candidates {
		if candidates[i].Content != nil {
			count.add(candidates[i].Content.Parts)
		}
	}
	return count
}

// Count returns the answer to a countTokens request. Vertex AI also counts the billable characters.
func Count(q Question) *geminiapi.CountTokensResponse {
	a := newAuthor(q)
	count := a.promptCount()
	response := &geminiapi.CountTokensResponse{TotalTokens: new(count.total()),
		PromptTokensDetails: count.details()}
	if a.isVertex {
		response.TotalBillableCharacters = new(billableCharacters(q.Request.Contents))
	}
	if q.CachedTokens > 0 {
		response.CachedContentTokenCount = &q.CachedTokens
		response.CacheTokensDetails = modalityCount{text: q.CachedTokens}.details()
	}
	return response
}

// billableCharacters counts the characters of texts, except white space.
func billableCharacters(contents []geminiapi.Content) int {
	count := 0
	for i := range contents {
		for j := range contents[i].Parts {
			if text := contents[i].Parts[j].Text; text != nil {
				count += len([]rune(strings.Join(strings.Fields(*text), "")))
			}
		}
	}
	return count
}
