package gemini

import "github.com/gemwire/gemwire/gen/geminiapi"

// backend is one of the two services that speak the wire.
type backend string

const (
	noBackend backend = ""
	geminiAPI backend = "the Gemini API"
	vertexAI  backend = "Vertex AI"
)

// exclusive is a member that only one backend has; the other one refuses it as an unknown name.
type exclusive[T any] struct {
	member string
	only   backend
	set    func(*T) bool
}

func checkExclusive[T any](v *requestCheck, at *place, message *T, members []exclusive[T]) {
	if v.backend == noBackend {
		return
	}
	for i := range members {
		if members[i].only != v.backend && members[i].set(message) {
			v.reportMember(at, members[i].member, "", onlyIn(members[i].only))
		}
	}
}

func onlyIn(b backend) string {
	if b == vertexAI {
		return "only Vertex AI has this; the Gemini API refuses it"
	}
	return "only the Gemini API has this; Vertex AI refuses it"
}

// The members that one backend alone has, by Google's descriptions of both and by what its SDKs refuse to
// send. Left out is what the descriptions tell apart, but the SDKs send to both.
var (
	requestExclusives = []exclusive[geminiapi.GenerateContentRequest]{
		{"modelArmorConfig", vertexAI, func(r *geminiapi.GenerateContentRequest) bool { return r.ModelArmorConfig != nil }},
		{"outputConfig", vertexAI, func(r *geminiapi.GenerateContentRequest) bool { return r.OutputConfig != nil }},
		{"store", geminiAPI, func(r *geminiapi.GenerateContentRequest) bool { return r.Store != nil }},
	}
	partExclusives = []exclusive[geminiapi.Part]{
		{"partMetadata", geminiAPI, func(p *geminiapi.Part) bool { return len(p.PartMetadata) > 0 }},
		{"toolCall", geminiAPI, func(p *geminiapi.Part) bool { return p.ToolCall != nil }},
		{"toolResponse", geminiAPI, func(p *geminiapi.Part) bool { return p.ToolResponse != nil }},
	}
	toolCallExclusives = []exclusive[geminiapi.ToolCall]{
		{"toolInput", vertexAI, func(c *geminiapi.ToolCall) bool { return c.ToolInput != nil }},
	}
	blobExclusives = []exclusive[geminiapi.Blob]{
		{"displayName", vertexAI, func(b *geminiapi.Blob) bool { return b.DisplayName != nil }},
	}
	fileDataExclusives = []exclusive[geminiapi.FileData]{
		{"displayName", vertexAI, func(f *geminiapi.FileData) bool { return f.DisplayName != nil }},
	}
	functionCallExclusives = []exclusive[geminiapi.FunctionCall]{
		{"partialArgs", vertexAI, func(c *geminiapi.FunctionCall) bool { return c.PartialArgs != nil }},
		{"willContinue", vertexAI, func(c *geminiapi.FunctionCall) bool { return c.WillContinue != nil }},
	}
	functionResponseExclusives = []exclusive[geminiapi.FunctionResponse]{
		{"willContinue", geminiAPI, func(r *geminiapi.FunctionResponse) bool { return r.WillContinue != nil }},
	}
	functionResponsePartExclusives = []exclusive[geminiapi.FunctionResponsePart]{
		{"fileData", vertexAI, func(p *geminiapi.FunctionResponsePart) bool { return p.FileData != nil }},
		{"mediaProcessing", geminiAPI, func(p *geminiapi.FunctionResponsePart) bool { return p.MediaProcessing != nil }},
	}
	functionResponseBlobExclusives = []exclusive[geminiapi.FunctionResponseBlob]{
		{"displayName", vertexAI, func(b *geminiapi.FunctionResponseBlob) bool { return b.DisplayName != nil }},
	}
	toolExclusives = []exclusive[geminiapi.Tool]{
		{"enterpriseWebSearch", vertexAI, func(t *geminiapi.Tool) bool { return t.EnterpriseWebSearch != nil }},
		{"exaAiSearch", vertexAI, func(t *geminiapi.Tool) bool { return t.ExaAiSearch != nil }},
		{"fileSearch", geminiAPI, func(t *geminiapi.Tool) bool { return t.FileSearch != nil }},
		{"mcpServers", geminiAPI, func(t *geminiapi.Tool) bool { return t.MCPServers != nil }},
		{"parallelAiSearch", vertexAI, func(t *geminiapi.Tool) bool { return t.ParallelAiSearch != nil }},
		{"retrieval", vertexAI, func(t *geminiapi.Tool) bool { return t.Retrieval != nil }},
	}
	googleMapsExclusives = []exclusive[geminiapi.GoogleMaps]{
		{"authConfig", vertexAI, func(m *geminiapi.GoogleMaps) bool { return m.AuthConfig != nil }},
		{"groundingTypes", vertexAI, func(m *geminiapi.GoogleMaps) bool { return m.GroundingTypes != nil }},
	}
	googleSearchExclusives = []exclusive[geminiapi.GoogleSearch]{
		{"blockingConfidence", vertexAI, func(s *geminiapi.GoogleSearch) bool { return s.BlockingConfidence != nil }},
		{"excludeDomains", vertexAI, func(s *geminiapi.GoogleSearch) bool { return s.ExcludeDomains != nil }},
		{"timeRangeFilter", geminiAPI, func(s *geminiapi.GoogleSearch) bool { return s.TimeRangeFilter != nil }},
	}
	schemaExclusives = []exclusive[geminiapi.Schema]{
		{"additionalProperties", vertexAI, func(s *geminiapi.Schema) bool { return len(s.AdditionalProperties) > 0 }},
		{"defs", vertexAI, func(s *geminiapi.Schema) bool { return s.Defs != nil }},
		{"ref", vertexAI, func(s *geminiapi.Schema) bool { return s.Ref != nil }},
	}
	toolConfigExclusives = []exclusive[geminiapi.ToolConfig]{
		{"includeServerSideToolInvocations", geminiAPI, func(c *geminiapi.ToolConfig) bool { return c.IncludeServerSideToolInvocations != nil }},
	}
	functionCallingConfigExclusives = []exclusive[geminiapi.FunctionCallingConfig]{
		{"streamFunctionCallArguments", vertexAI, func(c *geminiapi.FunctionCallingConfig) bool { return c.StreamFunctionCallArguments != nil }},
	}
	safetySettingExclusives = []exclusive[geminiapi.SafetySetting]{
		{"method", vertexAI, func(s *geminiapi.SafetySetting) bool { return s.Method != nil }},
	}
	generationConfigExclusives = []exclusive[geminiapi.GenerationConfig]{
		{"_responseJsonSchema", geminiAPI, func(c *geminiapi.GenerationConfig) bool { return len(c.ResponseJSONSchemaTrial) > 0 }},
		{"audioTimestamp", vertexAI, func(c *geminiapi.GenerationConfig) bool { return c.AudioTimestamp != nil }},
		{"enableEnhancedCivicAnswers", geminiAPI, func(c *geminiapi.GenerationConfig) bool { return c.EnableEnhancedCivicAnswers != nil }},
		{"modelConfig", vertexAI, func(c *geminiapi.GenerationConfig) bool { return c.ModelConfig != nil }},
		{"modelSelectionConfig", vertexAI, func(c *geminiapi.GenerationConfig) bool { return c.ModelSelectionConfig != nil }},
		{"routingConfig", vertexAI, func(c *geminiapi.GenerationConfig) bool { return c.RoutingConfig != nil }},
	}
	imageConfigExclusives = []exclusive[geminiapi.ImageConfig]{
		{"imageOutputOptions", vertexAI, func(c *geminiapi.ImageConfig) bool { return c.ImageOutputOptions != nil }},
		{"outputCompressionQuality", vertexAI, func(c *geminiapi.ImageConfig) bool { return c.OutputCompressionQuality != nil }},
		{"outputMimeType", vertexAI, func(c *geminiapi.ImageConfig) bool { return c.OutputMIMEType != nil }},
		{"personGeneration", vertexAI, func(c *geminiapi.ImageConfig) bool { return c.PersonGeneration != nil }},
		{"prominentPeople", vertexAI, func(c *geminiapi.ImageConfig) bool { return c.ProminentPeople != nil }},
	}
	responseFormatExclusives = []exclusive[geminiapi.ResponseFormatConfig]{
		{"video", vertexAI, func(f *geminiapi.ResponseFormatConfig) bool { return f.Video != nil }},
	}
	voiceConfigExclusives = []exclusive[geminiapi.VoiceConfig]{
		{"voice", vertexAI, func(c *geminiapi.VoiceConfig) bool { return c.Voice != nil }},
	}
	replicatedVoiceExclusives = []exclusive[geminiapi.ReplicatedVoiceConfig]{
		{"consentAudio", geminiAPI, func(c *geminiapi.ReplicatedVoiceConfig) bool { return c.ConsentAudio != nil }},
		{"voiceConsentSignature", geminiAPI, func(c *geminiapi.ReplicatedVoiceConfig) bool { return c.VoiceConsentSignature != nil }},
	}
)

// exclusiveCategories are the harm categories that one backend alone knows, and those of PaLM, which the
// Gemini API still lists, but refuses for Gemini.
var exclusiveCategories = map[geminiapi.HarmCategory]backend{
	geminiapi.HarmCategoryImageHate:             vertexAI,
	geminiapi.HarmCategoryImageDangerousContent: vertexAI,
	geminiapi.HarmCategoryImageHarassment:       vertexAI,
	geminiapi.HarmCategoryImageSexuallyExplicit: vertexAI,
	geminiapi.HarmCategoryDerogatory:            noBackend,
	geminiapi.HarmCategoryToxicity:              noBackend,
	geminiapi.HarmCategoryViolence:              noBackend,
	geminiapi.HarmCategorySexual:                noBackend,
	geminiapi.HarmCategoryMedical:               noBackend,
	geminiapi.HarmCategoryDangerous:             noBackend,
}
