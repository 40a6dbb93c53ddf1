package requestcheck

import "github.com/gemwire/gemwire/gen/geminiapi"

// Backend is one of the two services that speak the wire.
type Backend string

// The backends. Their values are their names in messages.
const (
	AnyBackend Backend = ""
	GeminiAPI  Backend = "the Gemini API"
	VertexAI   Backend = "Vertex AI"
)

// exclusive is a member that only one backend has; the other one refuses it as an unknown name.
type exclusive[T any] struct {
	member string
	only   Backend
	set    func(*T) bool
}

func checkExclusive[T any](v *checker, at *location, message *T, members []exclusive[T]) {
	if v.backend == AnyBackend {
		return
	}
	for i := range members {
		if members[i].only != v.backend && members[i].set(message) {
			v.reportMember(at, members[i].member, ruleBackend, "", onlyIn(members[i].only))
		}
	}
}

func onlyIn(b Backend) string {
	if b == VertexAI {
		return "only Vertex AI has this; the Gemini API refuses it"
	}
	return "only the Gemini API has this; Vertex AI refuses it"
}

// The members that one backend alone has, by Google's descriptions of both and by what its SDKs refuse to
// send. Left out is what the descriptions tell apart, but the SDKs send to both.
var (
	requestExclusives = []exclusive[geminiapi.GenerateContentRequest]{
		{"modelArmorConfig", VertexAI, func(r *geminiapi.GenerateContentRequest) bool { return r.ModelArmorConfig != nil }},
		{"outputConfig", VertexAI, func(r *geminiapi.GenerateContentRequest) bool { return r.OutputConfig != nil }},
		{"store", GeminiAPI, func(r *geminiapi.GenerateContentRequest) bool { return r.Store != nil }},
	}
	partExclusives = []exclusive[geminiapi.Part]{
		{"partMetadata", GeminiAPI, func(p *geminiapi.Part) bool { return len(p.PartMetadata) > 0 }},
		{"toolCall", GeminiAPI, func(p *geminiapi.Part) bool { return p.ToolCall != nil }},
		{"toolResponse", GeminiAPI, func(p *geminiapi.Part) bool { return p.ToolResponse != nil }},
	}
	toolCallExclusives = []exclusive[geminiapi.ToolCall]{
		{"toolInput", VertexAI, func(c *geminiapi.ToolCall) bool { return c.ToolInput != nil }},
	}
	blobExclusives = []exclusive[geminiapi.Blob]{
		{"displayName", VertexAI, func(b *geminiapi.Blob) bool { return b.DisplayName != nil }},
	}
	fileDataExclusives = []exclusive[geminiapi.FileData]{
		{"displayName", VertexAI, func(f *geminiapi.FileData) bool { return f.DisplayName != nil }},
	}
	functionCallExclusives = []exclusive[geminiapi.FunctionCall]{
		{"partialArgs", VertexAI, func(c *geminiapi.FunctionCall) bool { return c.PartialArgs != nil }},
		{"willContinue", VertexAI, func(c *geminiapi.FunctionCall) bool { return c.WillContinue != nil }},
	}
	functionResponseExclusives = []exclusive[geminiapi.FunctionResponse]{
		{"willContinue", GeminiAPI, func(r *geminiapi.FunctionResponse) bool { return r.WillContinue != nil }},
	}
	functionResponsePartExclusives = []exclusive[geminiapi.FunctionResponsePart]{
		{"fileData", VertexAI, func(p *geminiapi.FunctionResponsePart) bool { return p.FileData != nil }},
		{"mediaProcessing", GeminiAPI, func(p *geminiapi.FunctionResponsePart) bool { return p.MediaProcessing != nil }},
	}
	functionResponseBlobExclusives = []exclusive[geminiapi.FunctionResponseBlob]{
		{"displayName", VertexAI, func(b *geminiapi.FunctionResponseBlob) bool { return b.DisplayName != nil }},
	}
	toolExclusives = []exclusive[geminiapi.Tool]{
		{"enterpriseWebSearch", VertexAI, func(t *geminiapi.Tool) bool { return t.EnterpriseWebSearch != nil }},
		{"exaAiSearch", VertexAI, func(t *geminiapi.Tool) bool { return t.ExaAiSearch != nil }},
		{"fileSearch", GeminiAPI, func(t *geminiapi.Tool) bool { return t.FileSearch != nil }},
		{"mcpServers", GeminiAPI, func(t *geminiapi.Tool) bool { return t.MCPServers != nil }},
		{"parallelAiSearch", VertexAI, func(t *geminiapi.Tool) bool { return t.ParallelAiSearch != nil }},
		{"retrieval", VertexAI, func(t *geminiapi.Tool) bool { return t.Retrieval != nil }},
	}
	googleMapsExclusives = []exclusive[geminiapi.GoogleMaps]{
		{"authConfig", VertexAI, func(m *geminiapi.GoogleMaps) bool { return m.AuthConfig != nil }},
		{"groundingTypes", VertexAI, func(m *geminiapi.GoogleMaps) bool { return m.GroundingTypes != nil }},
	}
	googleSearchExclusives = []exclusive[geminiapi.GoogleSearch]{
		{"blockingConfidence", VertexAI, func(s *geminiapi.GoogleSearch) bool { return s.BlockingConfidence != nil }},
		{"excludeDomains", VertexAI, func(s *geminiapi.GoogleSearch) bool { return s.ExcludeDomains != nil }},
		{"timeRangeFilter", GeminiAPI, func(s *geminiapi.GoogleSearch) bool { return s.TimeRangeFilter != nil }},
	}
	schemaExclusives = []exclusive[geminiapi.Schema]{
		{"additionalProperties", VertexAI, func(s *geminiapi.Schema) bool { return len(s.AdditionalProperties) > 0 }},
		{"defs", VertexAI, func(s *geminiapi.Schema) bool { return s.Defs != nil }},
		{"ref", VertexAI, func(s *geminiapi.Schema) bool { return s.Ref != nil }},
	}
	toolConfigExclusives = []exclusive[geminiapi.ToolConfig]{
		{"includeServerSideToolInvocations", GeminiAPI, func(c *geminiapi.ToolConfig) bool { return c.IncludeServerSideToolInvocations != nil }},
	}
	functionCallingConfigExclusives = []exclusive[geminiapi.FunctionCallingConfig]{
		{"streamFunctionCallArguments", VertexAI, func(c *geminiapi.FunctionCallingConfig) bool { return c.StreamFunctionCallArguments != nil }},
	}
	safetySettingExclusives = []exclusive[geminiapi.SafetySetting]{
		{"method", VertexAI, func(s *geminiapi.SafetySetting) bool { return s.Method != nil }},
	}
	generationConfigExclusives = []exclusive[geminiapi.GenerationConfig]{
		{"_responseJsonSchema", GeminiAPI, func(c *geminiapi.GenerationConfig) bool { return len(c.ResponseJSONSchemaTrial) > 0 }},
		{"audioTimestamp", VertexAI, func(c *geminiapi.GenerationConfig) bool { return c.AudioTimestamp != nil }},
		{"enableEnhancedCivicAnswers", GeminiAPI, func(c *geminiapi.GenerationConfig) bool { return c.EnableEnhancedCivicAnswers != nil }},
		{"modelConfig", VertexAI, func(c *geminiapi.GenerationConfig) bool { return c.ModelConfig != nil }},
		{"modelSelectionConfig", VertexAI, func(c *geminiapi.GenerationConfig) bool { return c.ModelSelectionConfig != nil }},
		{"routingConfig", VertexAI, func(c *geminiapi.GenerationConfig) bool { return c.RoutingConfig != nil }},
	}
	imageConfigExclusives = []exclusive[geminiapi.ImageConfig]{
		{"imageOutputOptions", VertexAI, func(c *geminiapi.ImageConfig) bool { return c.ImageOutputOptions != nil }},
		{"outputCompressionQuality", VertexAI, func(c *geminiapi.ImageConfig) bool { return c.OutputCompressionQuality != nil }},
		{"outputMimeType", VertexAI, func(c *geminiapi.ImageConfig) bool { return c.OutputMIMEType != nil }},
		{"personGeneration", VertexAI, func(c *geminiapi.ImageConfig) bool { return c.PersonGeneration != nil }},
		{"prominentPeople", VertexAI, func(c *geminiapi.ImageConfig) bool { return c.ProminentPeople != nil }},
	}
	responseFormatExclusives = []exclusive[geminiapi.ResponseFormatConfig]{
		{"video", VertexAI, func(f *geminiapi.ResponseFormatConfig) bool { return f.Video != nil }},
	}
	voiceConfigExclusives = []exclusive[geminiapi.VoiceConfig]{
		{"voice", VertexAI, func(c *geminiapi.VoiceConfig) bool { return c.Voice != nil }},
	}
	replicatedVoiceExclusives = []exclusive[geminiapi.ReplicatedVoiceConfig]{
		{"consentAudio", GeminiAPI, func(c *geminiapi.ReplicatedVoiceConfig) bool { return c.ConsentAudio != nil }},
		{"voiceConsentSignature", GeminiAPI, func(c *geminiapi.ReplicatedVoiceConfig) bool { return c.VoiceConsentSignature != nil }},
	}
)

// exclusiveCategories are the harm categories that one backend alone knows, and those of PaLM, which the
// Gemini API still lists, but refuses for Gemini.
var exclusiveCategories = map[geminiapi.HarmCategory]Backend{
	geminiapi.HarmCategoryImageHate:             VertexAI,
	geminiapi.HarmCategoryImageDangerousContent: VertexAI,
	geminiapi.HarmCategoryImageHarassment:       VertexAI,
	geminiapi.HarmCategoryImageSexuallyExplicit: VertexAI,
	geminiapi.HarmCategoryDerogatory:            AnyBackend,
	geminiapi.HarmCategoryToxicity:              AnyBackend,
	geminiapi.HarmCategoryViolence:              AnyBackend,
	geminiapi.HarmCategorySexual:                AnyBackend,
	geminiapi.HarmCategoryMedical:               AnyBackend,
	geminiapi.HarmCategoryDangerous:             AnyBackend,
}
