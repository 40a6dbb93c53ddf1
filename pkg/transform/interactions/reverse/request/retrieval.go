package request

import (
	"strconv"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
)

// retrieval adds the tools that search documents, or the web with another company's search engine.
// Only Vertex AI has them.
func (c *converter) retrieval(in *geminiapi.Tool, at string) {
	if !c.vertex {
		c.loseRetrieval(in, at)
		return
	}
	if r := in.Retrieval; r != nil {
		in.Retrieval = c.documents(r, at+"/retrieval")
	}
	if exa := in.ExaAiSearch; exa != nil {
		c.loseRest(at+"/exaAiSearch", &geminiapi.ExaAISearch{Unknown: exa.Unknown})
		c.add(interactionsapi.Tool{Type: interactionsapi.ToolTypeRetrieval,
			RetrievalTypes: kinds(interactionsapi.RetrievalTypeExaAiSearch),
			ExaAiSearchConfig: &interactionsapi.SearchAPIConfig{APIKey: exa.APIKey,
				CustomConfig: jsonx.NonNull(exa.CustomConfigs)}})
		in.ExaAiSearch = nil
	}
	if parallel := in.ParallelAiSearch; parallel != nil {
		rest := *parallel
		rest.APIKey, rest.CustomConfigs = nil, nil
		c.loseRest(at+"/parallelAiSearch", &rest)
		c.add(interactionsapi.Tool{Type: interactionsapi.ToolTypeRetrieval,
			RetrievalTypes: kinds(interactionsapi.RetrievalTypeParallelAiSearch),
			ParallelAiSearchConfig: &interactionsapi.SearchAPIConfig{APIKey: parallel.APIKey,
				CustomConfig: jsonx.NonNull(parallel.CustomConfigs)}})
		in.ParallelAiSearch = nil
	}
}

// loseRetrieval reports the tools that only Vertex AI has.
func (c *converter) loseRetrieval(in *geminiapi.Tool, at string) {
	if in.Retrieval != nil {
		c.report.Add(report.Lost, at+"/retrieval", detailVertexOnly)
	}
	if in.ExaAiSearch != nil {
		c.report.Add(report.Lost, at+"/exaAiSearch", detailVertexOnly)
	}
	if in.ParallelAiSearch != nil {
		c.report.Add(report.Lost, at+"/parallelAiSearch", detailVertexOnly)
	}
	in.Retrieval, in.ExaAiSearch, in.ParallelAiSearch = nil, nil, nil
}

func kinds(kind interactionsapi.RetrievalType) []interactionsapi.RetrievalType {
	return []interactionsapi.RetrievalType{kind}
}

// documents adds the search of documents. It returns the members that an interaction does not have,
// or nil.
func (c *converter) documents(in *geminiapi.Retrieval, at string) *geminiapi.Retrieval {
	rest := *in
	tool := interactionsapi.Tool{Type: interactionsapi.ToolTypeRetrieval}
	if search := in.VertexAiSearch; search != nil {
		tool.RetrievalTypes = append(tool.RetrievalTypes,
			interactionsapi.RetrievalTypeVertexAiSearch)
		tool.VertexAiSearchConfig = c.vertexSearch(search, at+"/vertexAiSearch")
		rest.VertexAiSearch = nil
	}
	if store := in.VertexRAGStore; store != nil {
		tool.RetrievalTypes = append(tool.RetrievalTypes, interactionsapi.RetrievalTypeRAGStore)
		tool.RAGStoreConfig = c.ragStore(store, at+"/vertexRagStore")
		rest.VertexRAGStore = nil
	}
	if tool.RetrievalTypes == nil {
		if rest.IsEmpty() {
			c.report.Add(report.Lost, at, "it names nothing to search")
			return nil
		}
		return &rest
	}
	c.add(tool)
	c.loseRest(at, &rest)
	return nil
}

func (c *converter) vertexSearch(in *geminiapi.VertexAISearch,
	at string) *interactionsapi.VertexAISearchConfig {
	rest := *in
	out := &interactionsapi.VertexAISearchConfig{Engine: in.Engine}
	rest.Engine, rest.Datastore, rest.DataStoreSpecs = nil, nil, nil
	if in.Datastore != nil {
		out.Datastores = append(out.Datastores, *in.Datastore)
	}
	for i := range in.DataStoreSpecs {
		spec := in.DataStoreSpecs[i]
		if spec.DataStore != nil {
			out.Datastores = append(out.Datastores, *spec.DataStore)
		}
		spec.DataStore = nil
		c.loseRest(at+"/dataStoreSpecs/"+strconv.Itoa(i), &spec)
	}
	c.loseRest(at, &rest)
	return out
}

func (c *converter) ragStore(in *geminiapi.VertexRAGStore,
	at string) *interactionsapi.RAGStoreConfig {
	rest := *in
	out := &interactionsapi.RAGStoreConfig{SimilarityTopK: in.SimilarityTopK,
		VectorDistanceThreshold: in.VectorDistanceThreshold}
	rest.SimilarityTopK, rest.VectorDistanceThreshold, rest.RAGRetrievalConfig = nil, nil, nil
	rest.RAGResources, rest.RAGCorpora = nil, nil
	for i := range in.RAGResources {
		resource := in.RAGResources[i]
		out.RAGResources = append(out.RAGResources, interactionsapi.RAGResource{
			RAGCorpus: resource.RAGCorpus, RAGFileIds: resource.RAGFileIds})
		c.loseRest(at+"/ragResources/"+strconv.Itoa(i),
			&geminiapi.VertexRAGStoreResource{Unknown: resource.Unknown})
	}
	for i := range in.RAGCorpora {
		out.RAGResources = append(out.RAGResources,
			interactionsapi.RAGResource{RAGCorpus: &in.RAGCorpora[i]})
	}
	if config := in.RAGRetrievalConfig; config != nil {
		out.RAGRetrievalConfig = c.ragConfig(config, at+"/ragRetrievalConfig")
	}
	c.loseRest(at, &rest)
	return out
}

func (c *converter) ragConfig(in *geminiapi.RAGRetrievalConfig,
	at string) *interactionsapi.RAGRetrievalConfig {
	out := &interactionsapi.RAGRetrievalConfig{TopK: in.TopK}
	c.loseRest(at, &geminiapi.RAGRetrievalConfig{Unknown: in.Unknown})
	if f := in.Filter; f != nil {
		out.Filter = &interactionsapi.RAGFilter{MetadataFilter: f.MetadataFilter,
			VectorDistanceThreshold:   f.VectorDistanceThreshold,
			VectorSimilarityThreshold: f.VectorSimilarityThreshold}
		c.loseRest(at+"/filter", &geminiapi.RAGRetrievalFilter{Unknown: f.Unknown})
	}
	if h := in.HybridSearch; h != nil {
		out.HybridSearch = &interactionsapi.RAGHybridSearch{Alpha: h.Alpha}
		c.loseRest(at+"/hybridSearch", &geminiapi.RAGHybridSearch{Unknown: h.Unknown})
	}
	if r := in.Ranking; r != nil {
		out.Ranking = c.ranking(r, at+"/ranking")
	}
	return out
}

// ranking sets how passages are ranked: by a service, or by a model.
func (c *converter) ranking(in *geminiapi.RAGRetrievalRanking,
	at string) *interactionsapi.RAGRanking {
	out := &interactionsapi.RAGRanking{}
	c.loseRest(at, &geminiapi.RAGRetrievalRanking{Unknown: in.Unknown})
	if s := in.RankService; s != nil {
		out.RankingConfig = new("rank_service")
		out.RankService = &interactionsapi.RAGRankService{ModelName: s.ModelName}
		c.loseRest(at+"/rankService", &geminiapi.RAGRankService{Unknown: s.Unknown})
	}
	if l := in.LLMRanker; l != nil {
		if out.RankingConfig == nil {
			out.RankingConfig = new("llm_ranker")
		}
		out.ModelName = l.ModelName
		c.loseRest(at+"/llmRanker", &geminiapi.RAGLLMRanker{Unknown: l.Unknown})
		c.report.Add(report.Approximated, at+"/llmRanker",
			"converted to model_name, because an interaction has no ranking by a model")
	}
	return out
}
