package request

import (
	"slices"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
)

// retrievalTool converts a search in the caller's own data, which only Vertex AI has. Gemini has a
// tool for each source.
func (c *converter) retrievalTool(tool *interactionsapi.Tool, pointer string) ([]geminiapi.Tool,
	error) {
	if !c.VertexAI {
		c.Report.Add(report.Lost, pointer, detailVertexOnly)
		return nil, nil
	}
	var out []geminiapi.Tool
	kinds := c.retrievalTypes(tool, pointer)
	for _, kind := range kinds {
		switch kind {
		case interactionsapi.RetrievalTypeVertexAiSearch:
			out = append(out, c.vertexSearch(tool.VertexAiSearchConfig,
				pointer+"/vertex_ai_search_config")...)
		case interactionsapi.RetrievalTypeRAGStore:
			out = append(out, c.ragStore(tool.RAGStoreConfig, pointer+"/rag_store_config"))
		case interactionsapi.RetrievalTypeExaAiSearch:
			config := jsonx.Deref(tool.ExaAiSearchConfig)
			c.LoseUnknown(pointer+"/exa_ai_search_config", config.Unknown)
			out = append(out, geminiapi.Tool{ExaAiSearch: &geminiapi.ExaAISearch{
				APIKey: config.APIKey, CustomConfigs: config.CustomConfig}})
		case interactionsapi.RetrievalTypeParallelAiSearch:
			config := jsonx.Deref(tool.ParallelAiSearchConfig)
			c.LoseUnknown(pointer+"/parallel_ai_search_config", config.Unknown)
			out = append(out, geminiapi.Tool{ParallelAiSearch: &geminiapi.ParallelAISearch{
				APIKey: config.APIKey, CustomConfigs: config.CustomConfig}})
		}
	}
	return out, nil
}

// retrievalTypes returns the sources to search: those that the tool lists, else those that it has
// settings for. It reports settings of sources that are not listed, and unknown sources.
func (c *converter) retrievalTypes(tool *interactionsapi.Tool,
	pointer string) []interactionsapi.RetrievalType {
	settings := []struct {
		kind   interactionsapi.RetrievalType
		member string
		isSet  bool
	}{
		{interactionsapi.RetrievalTypeVertexAiSearch, "vertex_ai_search_config",
			tool.VertexAiSearchConfig != nil},
		{interactionsapi.RetrievalTypeRAGStore, "rag_store_config", tool.RAGStoreConfig != nil},
		{interactionsapi.RetrievalTypeExaAiSearch, "exa_ai_search_config",
			tool.ExaAiSearchConfig != nil},
		{interactionsapi.RetrievalTypeParallelAiSearch, "parallel_ai_search_config",
			tool.ParallelAiSearchConfig != nil},
	}
	var kinds []interactionsapi.RetrievalType
	for _, s := range settings {
		isListed := slices.Contains(tool.RetrievalTypes, s.kind)
		switch {
		case isListed || s.isSet && len(tool.RetrievalTypes) == 0:
			kinds = append(kinds, s.kind)
		case s.isSet:
			c.Report.Add(report.Lost, pointer+"/"+s.member,
				"retrieval_types does not list the source")
		}
	}
	for i, kind := range tool.RetrievalTypes {
		if !slices.Contains(kinds, kind) {
			c.Report.Add(report.Lost, pointer+"/retrieval_types/"+itoa(i),
				"Gemini has no such source")
		} else if slices.Index(tool.RetrievalTypes, kind) != i {
			c.Report.Add(report.Approximated, pointer+"/retrieval_types/"+itoa(i), "listed before")
		}
	}
	return kinds
}

// vertexSearch returns the tools that search in an engine or in data stores. Without an engine,
// each data store has its own tool.
func (c *converter) vertexSearch(config *interactionsapi.VertexAISearchConfig,
	pointer string) []geminiapi.Tool {
	if config == nil {
		return []geminiapi.Tool{{Retrieval: &geminiapi.Retrieval{
			VertexAiSearch: &geminiapi.VertexAISearch{}}}}
	}
	c.LoseUnknown(pointer, config.Unknown)
	if config.Engine != nil || len(config.Datastores) == 0 {
		search := &geminiapi.VertexAISearch{Engine: config.Engine}
		for _, name := range config.Datastores {
			search.DataStoreSpecs = append(search.DataStoreSpecs,
				geminiapi.VertexAISearchDataStoreSpec{DataStore: &name})
		}
		return []geminiapi.Tool{{Retrieval: &geminiapi.Retrieval{VertexAiSearch: search}}}
	}
	if len(config.Datastores) > 1 {
		c.Report.Add(report.Approximated, pointer+"/datastores",
			"each data store has its own tool, because Gemini searches one without an engine")
	}
	out := make([]geminiapi.Tool, len(config.Datastores))
	for i := range config.Datastores {
		out[i].Retrieval = &geminiapi.Retrieval{VertexAiSearch: &geminiapi.VertexAISearch{
			Datastore: &config.Datastores[i]}}
	}
	return out
}

// ragStore returns the tool that searches in corpora of RAG Engine.
func (c *converter) ragStore(config *interactionsapi.RAGStoreConfig,
	pointer string) geminiapi.Tool {
	store := &geminiapi.VertexRAGStore{}
	out := geminiapi.Tool{Retrieval: &geminiapi.Retrieval{VertexRAGStore: store}}
	if config == nil {
		return out
	}
	c.LoseUnknown(pointer, config.Unknown)
	store.SimilarityTopK = config.SimilarityTopK
	store.VectorDistanceThreshold = config.VectorDistanceThreshold
	for i := range config.RAGResources {
		resource := &config.RAGResources[i]
		c.LoseUnknown(pointer+"/rag_resources/"+itoa(i), resource.Unknown)
		store.RAGResources = append(store.RAGResources, geminiapi.VertexRAGStoreResource{
			RAGCorpus: resource.RAGCorpus, RAGFileIds: resource.RAGFileIds})
	}
	if retrieval := config.RAGRetrievalConfig; retrieval != nil {
		store.RAGRetrievalConfig = c.ragRetrieval(retrieval, pointer+"/rag_retrieval_config")
	}
	return out
}

// ragRetrieval returns how passages are found and ranked.
func (c *converter) ragRetrieval(in *interactionsapi.RAGRetrievalConfig,
	pointer string) *geminiapi.RAGRetrievalConfig {
	out := &geminiapi.RAGRetrievalConfig{TopK: in.TopK}
	c.LoseUnknown(pointer, in.Unknown)
	if f := in.Filter; f != nil {
		c.LoseUnknown(pointer+"/filter", f.Unknown)
		out.Filter = &geminiapi.RAGRetrievalFilter{MetadataFilter: f.MetadataFilter,
			VectorDistanceThreshold:   f.VectorDistanceThreshold,
			VectorSimilarityThreshold: f.VectorSimilarityThreshold}
	}
	if h := in.HybridSearch; h != nil {
		c.LoseUnknown(pointer+"/hybrid_search", h.Unknown)
		out.HybridSearch = &geminiapi.RAGHybridSearch{Alpha: h.Alpha}
	}
	if r := in.Ranking; r != nil {
		out.Ranking = c.ragRanking(r, pointer+"/ranking")
	}
	return out
}

// ragRanking returns how passages are ranked: by a model, or by a ranking service.
func (c *converter) ragRanking(in *interactionsapi.RAGRanking,
	pointer string) *geminiapi.RAGRetrievalRanking {
	out := &geminiapi.RAGRetrievalRanking{}
	c.LoseUnknown(pointer, in.Unknown)
	if in.RankingConfig != nil {
		c.Report.Add(report.Lost, pointer+"/ranking_config", detailNotHere)
	}
	if in.ModelName != nil {
		out.LLMRanker = &geminiapi.RAGLLMRanker{ModelName: in.ModelName}
	}
	if service := in.RankService; service != nil {
		c.LoseUnknown(pointer+"/rank_service", service.Unknown)
		out.RankService = &geminiapi.RAGRankService{ModelName: service.ModelName}
	}
	return out
}
