// Package openapi holds the descriptions of the wire formats that gemwire speaks: gemini.yaml,
// openai.yaml, anthropic.yaml, interactions.yaml and aisdk.yaml. They are the only place where a
// wire type is declared. `go generate ./...` writes gen/geminiapi, gen/openaiapi, gen/anthropicapi,
// gen/interactionsapi and gen/aisdkapi from them, offline; overlay-go.yaml says what Go adds. From
// the types, codecgen makes the codecs of the payloads that are listed here.
package openapi

//go:generate go tool oapi-codegen -config gemini.cfg.yaml gemini.yaml
//go:generate go tool oapi-codegen -config gemini-server.cfg.yaml gemini.yaml
//go:generate go tool oapi-codegen -config openai.cfg.yaml openai.yaml
//go:generate go tool oapi-codegen -config openai-server.cfg.yaml openai.yaml
//go:generate go tool oapi-codegen -config aisdk.cfg.yaml aisdk.yaml
//go:generate go tool oapi-codegen -config anthropic.cfg.yaml anthropic.yaml
//go:generate go tool oapi-codegen -config anthropic-server.cfg.yaml anthropic.yaml
//go:generate go tool oapi-codegen -config interactions.cfg.yaml interactions.yaml
//go:generate go run ../../tools/codecgen ../../gen/geminiapi:GenerateContentRequest,GenerateContentResponse,CountTokensRequest,CountTokensResponse,ListModelsResponse,Model,EmbedContentRequest,EmbedContentResponse,BatchEmbedContentsRequest,BatchEmbedContentsResponse,PredictRequest,PredictResponse,CachedContent,ListCachedContentsResponse,File,CreateFileRequest,CreateFileResponse,ListFilesResponse,BatchGenerateContentRequest,BatchOperation,ListBatchesResponse,BatchRequestLine,BatchResultLine,AsyncBatchEmbedContentRequest,EmbedContentBatchOperation,EmbedContentRequestLine,EmbedContentResultLine,Empty:protojson ../../gen/openaiapi:CreateChatCompletionRequest,CreateChatCompletionResponse,CreateChatCompletionStreamResponse,ErrorResponse,CreateEmbeddingRequest,CreateEmbeddingResponse,ListModelsResponse,Model,CreateResponseRequest,Response,ResponseEvent,ResponseItem,ResponseItemList,DeletedResponse,CountInputTokensRequest,CountInputTokensResponse,CompactResponseRequest,CompactedResponse,File,ListFilesResponse,DeletedFile,CreateBatchRequest,Batch,ListBatchesResponse ../../gen/anthropicapi:CreateMessageRequest,Message,StreamEvent,MessageTokensCount,ErrorResponse,ListModelsResponse,Model ../../gen/interactionsapi:CreateInteractionRequest,Interaction,StreamEvent,ErrorResponse,Empty,Content,CodeExecutionArguments,SearchArguments,GoogleSearchResult,URLContextResult,GoogleMapsResult ../../gen/aisdkapi=aisdk.yaml:Part
