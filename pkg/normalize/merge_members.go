package normalize

import (
	"bytes"
	"slices"

	"github.com/gemwire/gemwire/gen/geminiapi"
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

// mergeCandidate merges everything but the parts. It owns out and its content.
func mergeCandidate(out, chunk *geminiapi.Candidate) {
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
	out.GroundingMetadata = mergeGrounding(out.GroundingMetadata, chunk.GroundingMetadata)
	out.CitationMetadata = mergeCitations(out.CitationMetadata, chunk.CitationMetadata)
	out.URLContextMetadata = mergeURLContext(out.URLContextMetadata, chunk.URLContextMetadata)
	out.LogprobsResult = mergeLogprobs(out.LogprobsResult, chunk.LogprobsResult)
	out.GroundingAttributions, _ = union(out.GroundingAttributions, chunk.GroundingAttributions)
	out.Unknown = mergeObjects(out.Unknown, chunk.Unknown)
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

// mergeGrounding joins the records of two chunks. Whether a record repeats, completes or continues
// the one before is not told, so the lists are joined without repetitions. The supports of a record
// count its own chunks, or all that came so far if it has none or they count beyond them.
func mergeGrounding(old, later *geminiapi.GroundingMetadata) *geminiapi.GroundingMetadata {
	if old == nil || later == nil {
		return either(old, later)
	}
	out := *old
	override(&out.GoogleMapsWidgetContextToken, later.GoogleMapsWidgetContextToken)
	override(&out.RetrievalMetadata, later.RetrievalMetadata)
	override(&out.SearchEntryPoint, later.SearchEntryPoint)
	chunks, positions := union(old.GroundingChunks, later.GroundingChunks)
	out.GroundingChunks = chunks
	out.GroundingSupports, _ = union(old.GroundingSupports, moveSupports(later.GroundingSupports, positions))
	out.SourceFlaggingUris, _ = union(old.SourceFlaggingUris, later.SourceFlaggingUris)
	out.ImageSearchQueries, _ = union(old.ImageSearchQueries, later.ImageSearchQueries)
	out.RetrievalQueries, _ = union(old.RetrievalQueries, later.RetrievalQueries)
	out.WebSearchQueries, _ = union(old.WebSearchQueries, later.WebSearchQueries)
	out.Unknown = mergeObjects(old.Unknown, later.Unknown)
	return &out
}

// moveSupports adapts the supports of a record whose chunks have got new positions.
func moveSupports(supports []geminiapi.GroundingSupport, positions []int) []geminiapi.GroundingSupport {
	moved := false
	for i, position := range positions {
		moved = moved || i != position
	}
	if !moved || len(supports) == 0 {
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

func mergeCitations(old, later *geminiapi.CitationMetadata) *geminiapi.CitationMetadata {
	if old == nil || later == nil {
		return either(old, later)
	}
	out := geminiapi.CitationMetadata{Unknown: mergeObjects(old.Unknown, later.Unknown)}
	out.CitationSources, _ = union(old.CitationSources, later.CitationSources)
	out.Citations, _ = union(old.Citations, later.Citations)
	return &out
}

func mergeURLContext(old, later *geminiapi.URLContextMetadata) *geminiapi.URLContextMetadata {
	if old == nil || later == nil {
		return either(old, later)
	}
	out := geminiapi.URLContextMetadata{Unknown: mergeObjects(old.Unknown, later.Unknown)}
	out.URLMetadata, _ = union(old.URLMetadata, later.URLMetadata)
	return &out
}

// mergeLogprobs continues the lists, of which each chunk has the tokens of its own text. The
// alternatives stay at the positions of the tokens that they belong to.
func mergeLogprobs(old, later *geminiapi.LogprobsResult) *geminiapi.LogprobsResult {
	if old == nil || later == nil {
		return either(old, later)
	}
	out := *old
	override(&out.LogProbabilitySum, later.LogProbabilitySum)
	if missing := len(old.ChosenCandidates) - len(old.TopCandidates); missing > 0 && len(later.TopCandidates) > 0 {
		out.TopCandidates = slices.Concat(old.TopCandidates, make([]geminiapi.TopCandidates, missing))
	}
	out.TopCandidates = slices.Concat(out.TopCandidates, later.TopCandidates)
	out.ChosenCandidates = slices.Concat(old.ChosenCandidates, later.ChosenCandidates)
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

// union appends to a list what it does not have yet of a later one, and returns the positions of the
// later one's elements in the result. Elements are compared by their JSON.
func union[T any](list, later []T) (out []T, positions []int) {
	if len(list) == 0 || len(later) == 0 {
		for i := range later {
			positions = append(positions, i)
		}
		return slices.Concat(list, later), positions
	}
	out = slices.Clip(list)
	known := map[string]int{}
	for i := range list {
		known[jsonKey(&list[i])] = i
	}
	for i := range later {
		key := jsonKey(&later[i])
		at, found := known[key]
		if !found || key == "" {
			at = len(out)
			out = append(out, later[i])
			known[key] = at
		}
		positions = append(positions, at)
	}
	return out, positions
}

// jsonKey returns the JSON of a value, "" for one that has none.
func jsonKey[T any](value *T) string {
	key, err := marshal("compare", value)
	if err != nil {
		return ""
	}
	return string(key)
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
	for name, value := range members(later) {
		replaced[name] = value
	}
	for name, value := range members(old) {
		if replacement, ok := replaced[name]; ok {
			value = replacement
			delete(replaced, name)
		}
		out.member(name, value)
	}
	for name, value := range members(later) {
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
