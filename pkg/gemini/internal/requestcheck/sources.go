package requestcheck

import "github.com/gemwire/gemwire/gen/geminiapi"

// dataTools checks the tools that look things up outside of Google Search.
func (v *checker) dataTools(tool *location, t *geminiapi.Tool) {
	if s := t.ExaAiSearch; s != nil {
		at := tool.member("exaAiSearch")
		v.object(&at, "customConfigs", s.CustomConfigs)
		v.unknown(&at, s.Unknown)
	}
	if s := t.ParallelAiSearch; s != nil {
		at := tool.member("parallelAiSearch")
		v.object(&at, "customConfigs", s.CustomConfigs)
		v.unknown(&at, s.Unknown)
	}
	if t.FileSearch != nil {
		v.leaf(tool, "fileSearch", t.FileSearch.Unknown)
	}
	v.retrieval(tool, t.Retrieval)
}

// retrieval looks in one source.
func (v *checker) retrieval(tool *location, r *geminiapi.Retrieval) {
	if r == nil {
		return
	}
	at := tool.member("retrieval")
	if s := r.VertexAiSearch; s != nil {
		in := at.member("vertexAiSearch")
		specs := in.member("dataStoreSpecs")
		spec := specs.element(0)
		for i := range s.DataStoreSpecs {
			spec.index = i
			v.unknown(&spec, s.DataStoreSpecs[i].Unknown)
		}
		v.unknown(&in, s.Unknown)
	}
	v.ragStore(&at, r.VertexRAGStore)
	v.externalAPI(&at, r.ExternalAPI)
	v.unknown(&at, r.Unknown)
}

func (v *checker) ragStore(retrieval *location, s *geminiapi.VertexRAGStore) {
	if s == nil {
		return
	}
	at := retrieval.member("vertexRagStore")
	resources := at.member("ragResources")
	resource := resources.element(0)
	for i := range s.RAGResources {
		resource.index = i
		v.unknown(&resource, s.RAGResources[i].Unknown)
	}
	if c := s.RAGRetrievalConfig; c != nil {
		in := at.member("ragRetrievalConfig")
		if c.Filter != nil {
			v.leaf(&in, "filter", c.Filter.Unknown)
		}
		if c.HybridSearch != nil {
			v.leaf(&in, "hybridSearch", c.HybridSearch.Unknown)
		}
		v.ragRanking(&in, c.Ranking)
		v.unknown(&in, c.Unknown)
	}
	v.unknown(&at, s.Unknown)
}

func (v *checker) ragRanking(config *location, r *geminiapi.RAGRetrievalRanking) {
	if r == nil {
		return
	}
	at := config.member("ranking")
	if r.LLMRanker != nil {
		v.leaf(&at, "llmRanker", r.LLMRanker.Unknown)
	}
	if r.RankService != nil {
		v.leaf(&at, "rankService", r.RankService.Unknown)
	}
	v.unknown(&at, r.Unknown)
}

func (v *checker) externalAPI(retrieval *location, e *geminiapi.ExternalAPI) {
	if e == nil {
		return
	}
	at := retrieval.member("externalApi")
	checkEnum(v, &at, "apiSpec", e.APISpec)
	if e.APIAuth != nil {
		in := at.member("apiAuth")
		if e.APIAuth.APIKeyConfig != nil {
			v.leaf(&in, "apiKeyConfig", e.APIAuth.APIKeyConfig.Unknown)
		}
		v.unknown(&in, e.APIAuth.Unknown)
	}
	v.authConfig(&at, e.AuthConfig)
	if e.ElasticSearchParams != nil {
		v.leaf(&at, "elasticSearchParams", e.ElasticSearchParams.Unknown)
	}
	if e.SimpleSearchParams != nil {
		v.leaf(&at, "simpleSearchParams", e.SimpleSearchParams.Unknown)
	}
	v.unknown(&at, e.Unknown)
}

func (v *checker) googleMaps(tool *location, m *geminiapi.GoogleMaps) {
	if m == nil {
		return
	}
	at := tool.member("googleMaps")
	v.authConfig(&at, m.AuthConfig)
	if t := m.GroundingTypes; t != nil {
		in := at.member("groundingTypes")
		if t.Places != nil {
			v.leaf(&in, "places", t.Places.Unknown)
		}
		if t.Routing != nil {
			v.leaf(&in, "routing", t.Routing.Unknown)
		}
		v.unknown(&in, t.Unknown)
	}
	checkExclusive(v, &at, m, googleMapsExclusives)
	v.unknown(&at, m.Unknown)
}

func (v *checker) authConfig(up *location, a *geminiapi.AuthConfig) {
	if a == nil {
		return
	}
	at := up.member("authConfig")
	checkEnum(v, &at, "authType", a.AuthType)
	if k := a.APIKeyConfig; k != nil {
		in := at.member("apiKeyConfig")
		checkEnum(v, &in, "httpElementLocation", k.HTTPElementLocation)
		v.unknown(&in, k.Unknown)
	}
	if a.GoogleServiceAccountConfig != nil {
		v.leaf(&at, "googleServiceAccountConfig", a.GoogleServiceAccountConfig.Unknown)
	}
	if a.HTTPBasicAuthConfig != nil {
		v.leaf(&at, "httpBasicAuthConfig", a.HTTPBasicAuthConfig.Unknown)
	}
	if a.OauthConfig != nil {
		v.leaf(&at, "oauthConfig", a.OauthConfig.Unknown)
	}
	if a.OIDCConfig != nil {
		v.leaf(&at, "oidcConfig", a.OIDCConfig.Unknown)
	}
	v.unknown(&at, a.Unknown)
}
