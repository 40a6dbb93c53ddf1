package merge

import (
	"slices"
	"strconv"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
)

// grownLists are the lists of a candidate that chunks add to.
type grownLists struct {
	sources          jsonx.UniqueList[geminiapi.GroundingChunk]
	supports         jsonx.UniqueList[geminiapi.GroundingSupport]
	flagged          jsonx.UniqueList[geminiapi.SourceFlaggingURI]
	imageQueries     jsonx.UniqueList[string]
	retrievalQueries jsonx.UniqueList[string]
	webQueries       jsonx.UniqueList[string]
	citationSources  jsonx.UniqueList[geminiapi.CitationSource]
	citations        jsonx.UniqueList[geminiapi.CitationSource]
	pages            jsonx.UniqueList[geminiapi.URLMetadata]
	attributions     jsonx.UniqueList[geminiapi.GroundingAttribution]

	chosenTokens []geminiapi.LogprobsResultCandidate
	topTokens    []geminiapi.TopCandidates

	origins origins
}

// hasLists reports whether a candidate has a record with growing lists.
func hasLists(c *geminiapi.Candidate) bool {
	return c.GroundingMetadata != nil || c.CitationMetadata != nil || c.URLContextMetadata != nil ||
		c.LogprobsResult != nil || len(c.GroundingAttributions) > 0
}

// merge merges the records that have growing lists.
func (l *grownLists) merge(p *provenance, out, chunk *geminiapi.Candidate) {
	out.GroundingMetadata = l.grounding(p, out.GroundingMetadata, chunk.GroundingMetadata)
	out.CitationMetadata = l.citation(p, out.CitationMetadata, chunk.CitationMetadata)
	out.URLContextMetadata = l.urlContext(p, out.URLContextMetadata, chunk.URLContextMetadata)
	out.LogprobsResult = l.logprobs(p, out.LogprobsResult, chunk.LogprobsResult)
	joinLists(l, p, "/groundingAttributions", &l.attributions, chunk.GroundingAttributions)
	out.GroundingAttributions = l.attributions.Values()
}

// grounding joins the records of two chunks. Gemini does not say whether a record repeats,
// completes or continues the record before it. So the lists are joined without repetitions.
func (l *grownLists) grounding(p *provenance, old,
	later *geminiapi.GroundingMetadata) *geminiapi.GroundingMetadata {
	if later == nil {
		return old
	}
	l.origins.addRecord(p.at, memberGrounding)
	joinLists(l, p, memberGrounding+"/groundingSupports", &l.supports, l.addSources(p, later))
	joinLists(l, p, memberGrounding+"/sourceFlaggingUris", &l.flagged, later.SourceFlaggingUris)
	joinLists(l, p, memberGrounding+"/imageSearchQueries", &l.imageQueries,
		later.ImageSearchQueries)
	joinLists(l, p, memberGrounding+"/retrievalQueries", &l.retrievalQueries,
		later.RetrievalQueries)
	joinLists(l, p, memberGrounding+"/webSearchQueries", &l.webQueries, later.WebSearchQueries)
	out := *later
	if old != nil {
		out = *old
		out.GroundingChunks = l.sources.Values()
		out.GroundingSupports = l.supports.Values()
		out.SourceFlaggingUris = l.flagged.Values()
		out.ImageSearchQueries = l.imageQueries.Values()
		out.RetrievalQueries = l.retrievalQueries.Values()
		out.WebSearchQueries = l.webQueries.Values()
	}
	override(p, "/groundingMetadata/googleMapsWidgetContextToken",
		&out.GoogleMapsWidgetContextToken, later.GoogleMapsWidgetContextToken)
	override(p, "/groundingMetadata/retrievalMetadata", &out.RetrievalMetadata,
		later.RetrievalMetadata)
	override(p, "/groundingMetadata/searchEntryPoint", &out.SearchEntryPoint,
		later.SearchEntryPoint)
	mergeUnknown(p, "/groundingMetadata", &out.Unknown, later.Unknown)
	return &out
}

// addSources adds the sources of a record. It returns the record's supports with indexes into the
// sources of all records. The indexes in a record count its own sources. If the record has no
// sources, or fewer than the indexes need, they count all sources so far.
func (l *grownLists) addSources(p *provenance,
	g *geminiapi.GroundingMetadata) []geminiapi.GroundingSupport {
	positions := joinLists(l, p, memberGrounding+"/groundingChunks", &l.sources, g.GroundingChunks)
	if positions == nil || len(g.GroundingSupports) == 0 || CountsBeyond(g) {
		return g.GroundingSupports
	}
	for i := range g.GroundingSupports {
		if len(g.GroundingSupports[i].GroundingChunkIndices) > 0 {
			p.report("/groundingMetadata/groundingSupports/"+strconv.Itoa(i)+
				"/groundingChunkIndices", detailAllSources)
		}
	}
	return moveSupports(g.GroundingSupports, positions)
}

// CountsBeyond reports whether the supports of a chunk's record refer to sources that the record
// does not list. Such supports count the sources of all chunks so far.
func CountsBeyond(g *geminiapi.GroundingMetadata) bool {
	for i := range g.GroundingSupports {
		for _, source := range g.GroundingSupports[i].GroundingChunkIndices {
			if source < 0 || source >= len(g.GroundingChunks) {
				return true
			}
		}
	}
	return false
}

// moveSupports returns supports with the new positions of their sources.
func moveSupports(supports []geminiapi.GroundingSupport,
	positions []int) []geminiapi.GroundingSupport {
	out := slices.Clone(supports)
	for i := range out {
		out[i].GroundingChunkIndices = slices.Clone(out[i].GroundingChunkIndices)
		for j, source := range out[i].GroundingChunkIndices {
			out[i].GroundingChunkIndices[j] = positions[source]
		}
	}
	return out
}

func (l *grownLists) citation(p *provenance, old,
	later *geminiapi.CitationMetadata) *geminiapi.CitationMetadata {
	if later == nil {
		return old
	}
	l.origins.addRecord(p.at, memberCitation)
	joinLists(l, p, memberCitation+"/citationSources", &l.citationSources, later.CitationSources)
	joinLists(l, p, memberCitation+"/citations", &l.citations, later.Citations)
	out := *later
	if old != nil {
		out = geminiapi.CitationMetadata{
			CitationSources: l.citationSources.Values(), Citations: l.citations.Values(),
			Unknown: old.Unknown,
		}
	}
	mergeUnknown(p, "/citationMetadata", &out.Unknown, later.Unknown)
	return &out
}

func (l *grownLists) urlContext(p *provenance, old,
	later *geminiapi.URLContextMetadata) *geminiapi.URLContextMetadata {
	if later == nil {
		return old
	}
	l.origins.addRecord(p.at, memberURLContext)
	joinLists(l, p, memberURLContext+"/urlMetadata", &l.pages, later.URLMetadata)
	out := *later
	if old != nil {
		out = geminiapi.URLContextMetadata{URLMetadata: l.pages.Values(), Unknown: old.Unknown}
	}
	mergeUnknown(p, "/urlContextMetadata", &out.Unknown, later.Unknown)
	return &out
}

// logprobs appends to the lists. Each chunk has the tokens of its own text. The alternatives keep
// the positions of their tokens.
func (l *grownLists) logprobs(p *provenance, old,
	later *geminiapi.LogprobsResult) *geminiapi.LogprobsResult {
	if later == nil {
		return old
	}
	if missing := len(l.chosenTokens) - len(l.topTokens); missing > 0 &&
		len(later.TopCandidates) > 0 {
		l.topTokens = append(l.topTokens, make([]geminiapi.TopCandidates, missing)...)
	}
	l.origins.addRecord(p.at, memberLogprobs)
	l.origins.addList(p.at, memberLogprobs+"/topCandidates", len(l.topTokens),
		len(later.TopCandidates))
	l.origins.addList(p.at, memberLogprobs+"/chosenCandidates", len(l.chosenTokens),
		len(later.ChosenCandidates))
	l.topTokens = append(l.topTokens, later.TopCandidates...)
	l.chosenTokens = append(l.chosenTokens, later.ChosenCandidates...)
	out := *later
	if old != nil {
		out = *old
		out.TopCandidates, out.ChosenCandidates = slices.Clip(l.topTokens),
			slices.Clip(l.chosenTokens)
	}
	override(p, "/logprobsResult/logProbabilitySum", &out.LogProbabilitySum,
		later.LogProbabilitySum)
	mergeUnknown(p, "/logprobsResult", &out.Unknown, later.Unknown)
	return &out
}

// withoutLists returns a candidate without the parts and without the growing lists.
func withoutLists(c *geminiapi.Candidate) *geminiapi.Candidate {
	if !hasLists(c) {
		return c
	}
	out := *c
	out.GroundingAttributions = nil
	if g := c.GroundingMetadata; g != nil {
		out.GroundingMetadata = &geminiapi.GroundingMetadata{
			GoogleMapsWidgetContextToken: g.GoogleMapsWidgetContextToken,
			RetrievalMetadata:            g.RetrievalMetadata,
			SearchEntryPoint:             g.SearchEntryPoint, Unknown: g.Unknown,
		}
	}
	if c.CitationMetadata != nil {
		out.CitationMetadata = &geminiapi.CitationMetadata{Unknown: c.CitationMetadata.Unknown}
	}
	if c.URLContextMetadata != nil {
		out.URLContextMetadata = &geminiapi.URLContextMetadata{Unknown: c.URLContextMetadata.Unknown}
	}
	if l := c.LogprobsResult; l != nil {
		out.LogprobsResult = &geminiapi.LogprobsResult{LogProbabilitySum: l.LogProbabilitySum,
			Unknown: l.Unknown}
	}
	return &out
}
