package normalize

import (
	"bytes"
	"slices"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/distinct"
	"github.com/gemwire/gemwire/internal/object"
	"github.com/go-json-experiment/json/jsontext"
)

// The functions here add what one chunk tells to what the chunks before it told, by the rules that
// [MergeChunks] documents. None changes what belongs to a chunk.

// override replaces an optional member of the wire types by a later one, unless that is absent.
func override[T any](member **T, later *T) {
	if later != nil {
		*member = later
	}
}

// overrideList replaces a list by a later one, unless that is empty.
func overrideList[T any](list *[]T, later []T) {
	if len(later) > 0 {
		*list = later
	}
}

// keepText sets a text that is still absent or empty.
func keepText(member **string, later *string) {
	if deref(*member) == "" {
		override(member, later)
	}
}

// mergeResponse merges everything but the candidates.
func mergeResponse(out, chunk *geminiapi.GenerateContentResponse) {
	keepText(&out.ResponseID, chunk.ResponseID)
	keepText(&out.ModelVersion, chunk.ModelVersion)
	keepText(&out.CreateTime, chunk.CreateTime)
	override(&out.ModelStatus, chunk.ModelStatus)
	out.PromptFeedback = mergeFeedback(out.PromptFeedback, chunk.PromptFeedback)
	out.UsageMetadata = mergeUsage(out.UsageMetadata, chunk.UsageMetadata)
	out.Unknown = mergeObjects(out.Unknown, chunk.Unknown)
}

// grownLists are the lists of a candidate that chunks add to.
type grownLists struct {
	sources          distinct.List[geminiapi.GroundingChunk]
	supports         distinct.List[geminiapi.GroundingSupport]
	flagged          distinct.List[geminiapi.SourceFlaggingURI]
	imageQueries     distinct.List[string]
	retrievalQueries distinct.List[string]
	webQueries       distinct.List[string]
	citationSources  distinct.List[geminiapi.CitationSource]
	citations        distinct.List[geminiapi.CitationSource]
	pages            distinct.List[geminiapi.URLMetadata]
	attributions     distinct.List[geminiapi.GroundingAttribution]

	chosenTokens []geminiapi.LogprobsResultCandidate
	topTokens    []geminiapi.TopCandidates
}

// mergeCandidate merges everything but the parts. It owns out and its content. The lists are those of
// out, and are made for the first chunk that has any: most candidates have none.
func mergeCandidate(out, chunk *geminiapi.Candidate, lists **grownLists) {
	if chunk.Index != nil && (out.Index == nil || *chunk.Index < 0) {
		out.Index = chunk.Index // a negative one is odd enough to be kept
	}
	if chunk.Content != nil {
		mergeContent(&out.Content, chunk.Content)
	}
	if overridesFinish(chunk.FinishReason, out.FinishReason) {
		out.FinishReason = chunk.FinishReason
	}
	override(&out.FinishMessage, chunk.FinishMessage)
	override(&out.TokenCount, chunk.TokenCount)
	override(&out.ContinuationToken, chunk.ContinuationToken)
	override(&out.AvgLogprobs, chunk.AvgLogprobs)
	overrideList(&out.SafetyRatings, chunk.SafetyRatings)
	out.Unknown = mergeObjects(out.Unknown, chunk.Unknown)
	if !hasLists(chunk) {
		return
	}
	if *lists == nil {
		*lists = &grownLists{}
	}
	(*lists).merge(out, chunk)
}

// hasLists reports whether a candidate has a record with lists that grow.
func hasLists(c *geminiapi.Candidate) bool {
	return c.GroundingMetadata != nil || c.CitationMetadata != nil || c.URLContextMetadata != nil ||
		c.LogprobsResult != nil || len(c.GroundingAttributions) > 0
}

// merge merges the records that have lists that grow.
func (l *grownLists) merge(out, chunk *geminiapi.Candidate) {
	out.GroundingMetadata = l.grounding(out.GroundingMetadata, chunk.GroundingMetadata)
	out.CitationMetadata = l.citation(out.CitationMetadata, chunk.CitationMetadata)
	out.URLContextMetadata = l.urlContext(out.URLContextMetadata, chunk.URLContextMetadata)
	out.LogprobsResult = l.logprobs(out.LogprobsResult, chunk.LogprobsResult)
	l.attributions.Add(chunk.GroundingAttributions)
	out.GroundingAttributions = l.attributions.Values()
}

// mergeContent merges everything but the parts.
func mergeContent(out **geminiapi.Content, chunk *geminiapi.Content) {
	if *out == nil {
		*out = &geminiapi.Content{}
	}
	if deref(chunk.Role) != "" {
		(*out).Role = chunk.Role
	}
	(*out).Unknown = mergeObjects((*out).Unknown, chunk.Unknown)
}

// overridesFinish reports whether a finish reason replaces an earlier one. A reason that says nothing
// does not.
func overridesFinish(later, earlier *geminiapi.FinishReason) bool {
	return later != nil && (earlier == nil || !isUnspecified(*later))
}

func isUnspecified(reason geminiapi.FinishReason) bool {
	return reason == "" || reason == geminiapi.FinishReasonUnspecified
}

// mergePart merges the pieces of a function call, all but the call itself.
func mergePart(out, piece *geminiapi.Part) {
	override(&out.AudioTranscription, piece.AudioTranscription)
	override(&out.CodeExecutionResult, piece.CodeExecutionResult)
	override(&out.ExecutableCode, piece.ExecutableCode)
	override(&out.FileData, piece.FileData)
	override(&out.FunctionResponse, piece.FunctionResponse)
	override(&out.InlineData, piece.InlineData)
	override(&out.MediaProcessing, piece.MediaProcessing)
	override(&out.MediaResolution, piece.MediaResolution)
	override(&out.SpeechMetadata, piece.SpeechMetadata)
	override(&out.Text, piece.Text)
	override(&out.Thought, piece.Thought)
	override(&out.ToolCall, piece.ToolCall)
	override(&out.ToolResponse, piece.ToolResponse)
	override(&out.VideoMetadata, piece.VideoMetadata)
	if deref(piece.ThoughtSignature) != "" {
		out.ThoughtSignature = piece.ThoughtSignature
	}
	if metadata := present(piece.PartMetadata); metadata != nil {
		out.PartMetadata = metadata
	}
	out.Unknown = mergeObjects(out.Unknown, piece.Unknown)
}

func mergeFeedback(old, later *geminiapi.PromptFeedback) *geminiapi.PromptFeedback {
	if old == nil || later == nil {
		return either(old, later)
	}
	out := *old
	override(&out.BlockReason, later.BlockReason)
	override(&out.BlockReasonMessage, later.BlockReasonMessage)
	overrideList(&out.SafetyRatings, later.SafetyRatings)
	out.Unknown = mergeObjects(old.Unknown, later.Unknown)
	return &out
}

// mergeUsage takes all counts from the later record if it has any: they are running totals that may
// also fall, and only those of one record add up. Vertex AI sends records without counts.
func mergeUsage(old, later *geminiapi.UsageMetadata) *geminiapi.UsageMetadata {
	if old == nil || later == nil {
		return either(old, later)
	}
	if !hasCounts(later) {
		return mergeUsageDetails(old, later)
	}
	if (old.ServiceTier == nil || later.ServiceTier != nil) && (old.TrafficType == nil || later.TrafficType != nil) && len(old.Unknown) == 0 {
		return later // as in nearly every chunk, which spares a copy
	}
	out := *later
	out.ServiceTier = either(later.ServiceTier, old.ServiceTier)
	out.TrafficType = either(later.TrafficType, old.TrafficType)
	out.Unknown = mergeObjects(old.Unknown, later.Unknown)
	return &out
}

// mergeUsageDetails adds a record without counts.
func mergeUsageDetails(old, later *geminiapi.UsageMetadata) *geminiapi.UsageMetadata {
	out := *old
	override(&out.ServiceTier, later.ServiceTier)
	override(&out.TrafficType, later.TrafficType)
	overrideList(&out.CacheTokensDetails, later.CacheTokensDetails)
	overrideList(&out.CandidatesTokensDetails, later.CandidatesTokensDetails)
	overrideList(&out.PromptTokensDetails, later.PromptTokensDetails)
	overrideList(&out.ResponseTokensDetails, later.ResponseTokensDetails)
	overrideList(&out.ToolUsePromptTokensDetails, later.ToolUsePromptTokensDetails)
	out.Unknown = mergeObjects(old.Unknown, later.Unknown)
	return &out
}

func hasCounts(u *geminiapi.UsageMetadata) bool {
	return u.PromptTokenCount != nil || u.CandidatesTokenCount != nil || u.ThoughtsTokenCount != nil ||
		u.TotalTokenCount != nil || u.CachedContentTokenCount != nil || u.ToolUsePromptTokenCount != nil ||
		u.ResponseTokenCount != nil || u.InitialPromptTokenCount != nil
}

// grounding joins the records of two chunks. Whether a record repeats, completes or continues the one
// before is not told, so the lists are joined without repetitions. The supports of a record count its
// own chunks, or all that came so far if it has none or they count beyond them.
func (l *grownLists) grounding(old, later *geminiapi.GroundingMetadata) *geminiapi.GroundingMetadata {
	if later == nil {
		return old
	}
	positions := l.sources.Add(later.GroundingChunks)
	l.supports.Add(moveSupports(later.GroundingSupports, positions))
	l.flagged.Add(later.SourceFlaggingUris)
	l.imageQueries.Add(later.ImageSearchQueries)
	l.retrievalQueries.Add(later.RetrievalQueries)
	l.webQueries.Add(later.WebSearchQueries)
	if old == nil {
		return later
	}
	out := *old
	override(&out.GoogleMapsWidgetContextToken, later.GoogleMapsWidgetContextToken)
	override(&out.RetrievalMetadata, later.RetrievalMetadata)
	override(&out.SearchEntryPoint, later.SearchEntryPoint)
	out.GroundingChunks = l.sources.Values()
	out.GroundingSupports = l.supports.Values()
	out.SourceFlaggingUris = l.flagged.Values()
	out.ImageSearchQueries = l.imageQueries.Values()
	out.RetrievalQueries = l.retrievalQueries.Values()
	out.WebSearchQueries = l.webQueries.Values()
	out.Unknown = mergeObjects(old.Unknown, later.Unknown)
	return &out
}

// moveSupports adapts the supports of a record whose chunks have got new positions, nil for none.
func moveSupports(supports []geminiapi.GroundingSupport, positions []int) []geminiapi.GroundingSupport {
	if positions == nil || len(supports) == 0 {
		return supports
	}
	out := slices.Clone(supports)
	for i := range out {
		out[i].GroundingChunkIndices = slices.Clone(out[i].GroundingChunkIndices)
		for j, chunk := range out[i].GroundingChunkIndices {
			if chunk < 0 || chunk >= len(positions) {
				return supports
			}
			out[i].GroundingChunkIndices[j] = positions[chunk]
		}
	}
	return out
}

func (l *grownLists) citation(old, later *geminiapi.CitationMetadata) *geminiapi.CitationMetadata {
	if later == nil {
		return old
	}
	l.citationSources.Add(later.CitationSources)
	l.citations.Add(later.Citations)
	if old == nil {
		return later
	}
	return &geminiapi.CitationMetadata{
		CitationSources: l.citationSources.Values(),
		Citations:       l.citations.Values(),
		Unknown:         mergeObjects(old.Unknown, later.Unknown),
	}
}

func (l *grownLists) urlContext(old, later *geminiapi.URLContextMetadata) *geminiapi.URLContextMetadata {
	if later == nil {
		return old
	}
	l.pages.Add(later.URLMetadata)
	if old == nil {
		return later
	}
	return &geminiapi.URLContextMetadata{URLMetadata: l.pages.Values(), Unknown: mergeObjects(old.Unknown, later.Unknown)}
}

// logprobs continues the lists, of which each chunk has the tokens of its own text. The alternatives
// stay at the positions of the tokens that they belong to.
func (l *grownLists) logprobs(old, later *geminiapi.LogprobsResult) *geminiapi.LogprobsResult {
	if later == nil {
		return old
	}
	if missing := len(l.chosenTokens) - len(l.topTokens); missing > 0 && len(later.TopCandidates) > 0 {
		l.topTokens = append(l.topTokens, make([]geminiapi.TopCandidates, missing)...)
	}
	l.topTokens = append(l.topTokens, later.TopCandidates...)
	l.chosenTokens = append(l.chosenTokens, later.ChosenCandidates...)
	if old == nil {
		return later
	}
	out := *old
	override(&out.LogProbabilitySum, later.LogProbabilitySum)
	out.TopCandidates, out.ChosenCandidates = slices.Clip(l.topTokens), slices.Clip(l.chosenTokens)
	out.Unknown = mergeObjects(old.Unknown, later.Unknown)
	return &out
}

// either returns the first of two optional members that is there.
func either[T any](a, b *T) *T {
	if a == nil {
		return b
	}
	return a
}

// mergeObjects returns an object with the members of both, in which those of the later one win.
func mergeObjects(old, later jsontext.Value) jsontext.Value {
	if len(old) == 0 {
		return later
	}
	if len(later) == 0 || bytes.Equal(old, later) {
		return old
	}
	var out objectWriter
	replaced := map[string]jsontext.Value{}
	for name, value := range object.Members(later) {
		replaced[name] = value
	}
	for name, value := range object.Members(old) {
		if replacement, ok := replaced[name]; ok {
			value = replacement
			delete(replaced, name)
		}
		out.member(name, value)
	}
	for name, value := range object.Members(later) {
		if _, ok := replaced[name]; ok {
			out.member(name, value)
		}
	}
	return out.object()
}

// objectWriter writes a JSON object member by member.
type objectWriter struct{ text []byte }

func (w *objectWriter) member(name string, value jsontext.Value) {
	separator := byte(',')
	if len(w.text) == 0 {
		separator = '{'
	}
	w.text = append(w.text, separator)
	w.text = append(w.text, quoted(name)...)
	w.text = append(w.text, ':')
	w.text = append(w.text, value...)
}

func (w *objectWriter) object() jsontext.Value {
	if len(w.text) == 0 {
		return jsontext.Value("{}")
	}
	return append(w.text, '}')
}
