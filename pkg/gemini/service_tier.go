package gemini

import "github.com/gemwire/gemwire/gen/geminiapi"

// headerTier is the header by which Vertex AI takes a service tier. Bought capacity is used first.
// Vertex AI reads it at the location global, for some models. The trafficType of the answer tells
// which tier answered. Source: Google's pages about Flex and Priority PayGo.
const headerTier = "X-Vertex-AI-LLM-Shared-Request-Type"

// setTier moves the service tier of a request for Vertex AI into a header, because the body has no
// such member there.
func (s *settings) setTier(op *operation, request *geminiapi.GenerateContentRequest) {
	if request.ServiceTier == nil || !s.endpoint.IsVertexAI() {
		return
	}
	switch tier := *request.ServiceTier; tier {
	case geminiapi.ServiceTierFlex, geminiapi.ServiceTierPriority:
		op.header = append(op.header, pair{headerTier, string(tier)})
		request.ServiceTier = nil
	case geminiapi.ServiceTierStandard: // the default
		request.ServiceTier = nil
	}
}
