package request

//go:generate go run ../../../../tools/codecgen members .:interactionsapi.CreateInteractionRequest,interactionsapi.GenerationConfig,interactionsapi.Step,interactionsapi.Content,interactionsapi.Tool,interactionsapi.ResponseFormat ../../../../gen/geminiapi ../../../../gen/interactionsapi
