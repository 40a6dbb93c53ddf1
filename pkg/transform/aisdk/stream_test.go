package aisdk_test

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/aisdkapi"
	"github.com/gemwire/gemwire/gen/geminiapi"
	jsonleaf "github.com/gemwire/gemwire/internal/test/leaftest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/aisdk"
	"github.com/gemwire/gemwire/pkg/wire"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// chunkOf is a chunk with parts.
func chunkOf(parts ...string) string {
	return `{"candidates":[{"content":{"role":"model","parts":[` + strings.Join(parts, ",") +
		`]}}]}`
}

const (
	streamStart = `{"type":"stream-start","warnings":[]}`
	stop        = `{"candidates":[{"finishReason":"STOP"}]}`
	stopped     = `{"type":"finish","usage":{"inputTokens":{},"outputTokens":{}},"finishReason":{"unified":"stop","raw":"STOP"}}`
	calling     = `{"type":"finish","usage":{"inputTokens":{},"outputTokens":{}},"finishReason":{"unified":"tool-calls","raw":"STOP"}}`
)

// finishedWith is a finish with stop and metadata.
func finishedWith(metadata string) string {
	return strings.TrimSuffix(stopped, "}") + `,"providerMetadata":{"google":` + metadata + `}}`
}

// signed is metadata that has only a signature.
func signed(signature string) string {
	return `"providerMetadata":{"google":{"thoughtSignature":"` + signature + `"}}`
}

// geminiCase is a stream and its parts, without the stream start, which is always the same.
type geminiCase struct {
	name   string
	chunks []string
	parts  []string
	v4     bool
}

var textCases = []geminiCase{
	{
		name:   "deltas of one text are one block",
		chunks: []string{chunkOf(`{"text":"Hel"}`), chunkOf(`{"text":"lo"}`, `{"text":"!"}`), stop},
		parts: []string{
			`{"type":"text-start","id":"0"}`,
			`{"type":"text-delta","id":"0","delta":"Hel"}`,
			`{"type":"text-delta","id":"0","delta":"lo"}`,
			`{"type":"text-delta","id":"0","delta":"!"}`,
			`{"type":"text-end","id":"0"}`,
			stopped,
		},
	},
	{
		name: "thoughts and text close each other, and share the count of ids",
		chunks: []string{
			chunkOf(`{"text":"hm","thought":true}`),
			chunkOf(`{"text":"Yes"}`, `{"text":"hm?","thought":true}`), stop,
		},
		parts: []string{
			`{"type":"reasoning-start","id":"0"}`,
			`{"type":"reasoning-delta","id":"0","delta":"hm"}`,
			`{"type":"reasoning-end","id":"0"}`,
			`{"type":"text-start","id":"1"}`,
			`{"type":"text-delta","id":"1","delta":"Yes"}`,
			`{"type":"text-end","id":"1"}`,
			`{"type":"reasoning-start","id":"2"}`,
			`{"type":"reasoning-delta","id":"2","delta":"hm?"}`,
			`{"type":"reasoning-end","id":"2"}`,
			stopped,
		},
	},
	{
		name: "a text and its signature are one delta, and a block of their own",
		chunks: []string{chunkOf(`{"text":"A"}`),
			chunkOf(`{"text":"B","thoughtSignature":"s1"}`, `{"text":"C"}`), stop},
		parts: []string{
			`{"type":"text-start","id":"0"}`,
			`{"type":"text-delta","id":"0","delta":"A"}`,
			`{"type":"text-end","id":"0"}`,
			`{"type":"text-start","id":"1"}`,
			`{"type":"text-delta","id":"1","delta":"B",` + signed("s1") + `}`,
			`{"type":"text-end","id":"1"}`,
			`{"type":"text-start","id":"2"}`,
			`{"type":"text-delta","id":"2","delta":"C"}`,
			`{"type":"text-end","id":"2"}`,
			stopped,
		},
	},
	{
		name: "parts after the signature of an empty text are not signed",
		chunks: []string{chunkOf(`{"text":"A"}`, `{"text":"","thoughtSignature":"s1"}`),
			chunkOf(`{"text":"B"}`), stop},
		parts: []string{
			`{"type":"text-start","id":"0"}`,
			`{"type":"text-delta","id":"0","delta":"A"}`,
			`{"type":"text-delta","id":"0","delta":"",` + signed("s1") + `}`,
			`{"type":"text-end","id":"0"}`,
			`{"type":"text-start","id":"1"}`,
			`{"type":"text-delta","id":"1","delta":"B"}`,
			`{"type":"text-end","id":"1"}`,
			stopped,
		},
	},
	{
		name: "the signature of an empty text before all text signs that, as the SDK drops blocks without text",
		chunks: []string{chunkOf(`{"text":"","thoughtSignature":"s1"}`), chunkOf(`{"text":"A"}`),
			chunkOf(`{"text":"B"}`), stop},
		parts: []string{
			`{"type":"text-start","id":"0"}`,
			`{"type":"text-delta","id":"0","delta":"",` + signed("s1") + `}`,
			`{"type":"text-delta","id":"0","delta":"A"}`,
			`{"type":"text-delta","id":"0","delta":"B"}`,
			`{"type":"text-end","id":"0"}`,
			stopped,
		},
	},
	{
		name: "a thought that is signed is a block of its own too",
		chunks: []string{chunkOf(`{"text":"hm","thought":true}`),
			chunkOf(`{"text":"so","thought":true,"thoughtSignature":"s1"}`,
				`{"text":"oh","thought":true}`), stop},
		parts: []string{
			`{"type":"reasoning-start","id":"0"}`,
			`{"type":"reasoning-delta","id":"0","delta":"hm"}`,
			`{"type":"reasoning-end","id":"0"}`,
			`{"type":"reasoning-start","id":"1"}`,
			`{"type":"reasoning-delta","id":"1","delta":"so",` + signed("s1") + `}`,
			`{"type":"reasoning-end","id":"1"}`,
			`{"type":"reasoning-start","id":"2"}`,
			`{"type":"reasoning-delta","id":"2","delta":"oh"}`,
			`{"type":"reasoning-end","id":"2"}`,
			stopped,
		},
	},
	{
		name: "the signature of an empty text goes out with a delta of the open block",
		chunks: []string{chunkOf(`{"text":"A"}`), chunkOf(`{"text":"","thoughtSignature":"s1"}`),
			stop},
		parts: []string{
			`{"type":"text-start","id":"0"}`,
			`{"type":"text-delta","id":"0","delta":"A"}`,
			`{"type":"text-delta","id":"0","delta":"",` + signed("s1") + `}`,
			`{"type":"text-end","id":"0"}`,
			stopped,
		},
	},
	{
		name: "the signature of an empty text opens a block when none of its kind is open",
		chunks: []string{chunkOf(`{"text":"hm","thought":true}`),
			chunkOf(`{"text":"","thoughtSignature":"s1"}`), stop},
		parts: []string{
			`{"type":"reasoning-start","id":"0"}`,
			`{"type":"reasoning-delta","id":"0","delta":"hm"}`,
			`{"type":"reasoning-end","id":"0"}`,
			`{"type":"text-start","id":"1"}`,
			`{"type":"text-delta","id":"1","delta":"",` + signed("s1") + `}`,
			`{"type":"text-end","id":"1"}`,
			stopped,
		},
	},
	{
		name: "a second signature begins another block, since the SDK keeps one for each",
		chunks: []string{chunkOf(`{"text":"A","thoughtSignature":"s1"}`,
			`{"text":"B","thoughtSignature":"s2"}`), stop},
		parts: []string{
			`{"type":"text-start","id":"0"}`,
			`{"type":"text-delta","id":"0","delta":"A",` + signed("s1") + `}`,
			`{"type":"text-end","id":"0"}`,
			`{"type":"text-start","id":"1"}`,
			`{"type":"text-delta","id":"1","delta":"B",` + signed("s2") + `}`,
			`{"type":"text-end","id":"1"}`,
			stopped,
		},
	},
	{
		name: "a thought is signed as text is",
		chunks: []string{chunkOf(`{"text":"hm","thought":true,"thoughtSignature":"s1"}`,
			`{"text":"","thought":true,"thoughtSignature":"s2"}`), stop},
		parts: []string{
			`{"type":"reasoning-start","id":"0"}`,
			`{"type":"reasoning-delta","id":"0","delta":"hm",` + signed("s1") + `}`,
			`{"type":"reasoning-end","id":"0"}`,
			`{"type":"reasoning-start","id":"1"}`,
			`{"type":"reasoning-delta","id":"1","delta":"",` + signed("s2") + `}`,
			`{"type":"reasoning-end","id":"1"}`,
			stopped,
		},
	},
	{
		name: "a part that is only a signature signs the open block, of any kind",
		chunks: []string{chunkOf(`{"text":"hm","thought":true}`),
			chunkOf(`{"thoughtSignature":"s1"}`), stop},
		parts: []string{
			`{"type":"reasoning-start","id":"0"}`,
			`{"type":"reasoning-delta","id":"0","delta":"hm"}`,
			`{"type":"reasoning-delta","id":"0","delta":"",` + signed("s1") + `}`,
			`{"type":"reasoning-end","id":"0"}`,
			stopped,
		},
	},
	{
		name: "a part that is only a signature is a block where none is open",
		chunks: []string{chunkOf(`{"thoughtSignature":"s1"}`,
			`{"thoughtSignature":"s2","thought":true}`), stop},
		parts: []string{
			`{"type":"text-start","id":"0"}`,
			`{"type":"text-delta","id":"0","delta":"",` + signed("s1") + `}`,
			`{"type":"text-end","id":"0"}`,
			`{"type":"reasoning-start","id":"1"}`,
			`{"type":"reasoning-delta","id":"1","delta":"",` + signed("s2") + `}`,
			`{"type":"reasoning-end","id":"1"}`,
			stopped,
		},
	},
	{
		name: "the other members of a part are sent with its delta",
		chunks: []string{chunkOf(`{"text":"A","partMetadata":{"k":1},"new":true,"thoughtSignature":"s1"}`),
			stop},
		parts: []string{
			`{"type":"text-start","id":"0"}`,
			`{"type":"text-delta","id":"0","delta":"A","providerMetadata":{"google":{"thoughtSignature":"s1","part":{"partMetadata":{"k":1},"new":true}}}}`,
			`{"type":"text-end","id":"0"}`,
			stopped,
		},
	},
	{
		name:   "empty texts that say nothing are nothing",
		chunks: []string{chunkOf(`{"text":""}`), chunkOf(), stop},
		parts:  []string{stopped},
	},
}

var callCases = []geminiCase{
	{
		name: "a function call",
		chunks: []string{chunkOf(`{"text":"A"}`,
			`{"functionCall":{"id":"f1","name":"weather","args":{"city":"Bern", "n":9007199254740993}},"thoughtSignature":"s1"}`,
			`{"text":"B"}`),
			stop},
		parts: []string{
			`{"type":"text-start","id":"0"}`,
			`{"type":"text-delta","id":"0","delta":"A"}`,
			`{"type":"text-end","id":"0"}`,
			`{"type":"tool-input-start","id":"f1","toolName":"weather",` + signed("s1") + `}`,
			`{"type":"tool-input-delta","id":"f1","delta":"{\"city\":\"Bern\",\"n\":9007199254740993}"}`,
			`{"type":"tool-input-end","id":"f1"}`,
			`{"type":"tool-call","toolCallId":"f1","toolName":"weather","input":"{\"city\":\"Bern\",\"n\":9007199254740993}",` +
				signed("s1") + `}`,
			`{"type":"text-start","id":"1"}`,
			`{"type":"text-delta","id":"1","delta":"B"}`,
			`{"type":"text-end","id":"1"}`,
			calling,
		},
	},
	{
		name: "calls in several chunks, without ids and without arguments",
		chunks: []string{chunkOf(`{"functionCall":{"name":"now"}}`),
			chunkOf(`{"functionCall":{"name":"now","args":{}}}`), stop},
		parts: []string{
			`{"type":"tool-input-start","id":"call-0-0","toolName":"now"}`,
			`{"type":"tool-input-delta","id":"call-0-0","delta":"{}"}`,
			`{"type":"tool-input-end","id":"call-0-0"}`,
			`{"type":"tool-call","toolCallId":"call-0-0","toolName":"now","input":"{}"}`,
			`{"type":"tool-input-start","id":"call-0-1","toolName":"now"}`,
			`{"type":"tool-input-delta","id":"call-0-1","delta":"{}"}`,
			`{"type":"tool-input-end","id":"call-0-1"}`,
			`{"type":"tool-call","toolCallId":"call-0-1","toolName":"now","input":"{}"}`,
			calling,
		},
	},
	{
		name:   "arguments that are no object are reported next to the call",
		chunks: []string{chunkOf(`{"functionCall":{"id":"f1","name":"sum","args":[1,2]}}`), stop},
		parts: []string{
			`{"type":"tool-input-start","id":"f1","toolName":"sum"}`,
			`{"type":"tool-input-delta","id":"f1","delta":"{}"}`,
			`{"type":"tool-input-end","id":"f1"}`,
			`{"type":"tool-call","toolCallId":"f1","toolName":"sum","input":"{}","providerMetadata":{"google":{"part":{"functionCall":{"args":[1,2]}}}}}`,
			calling,
		},
	},
	{
		name: "arguments that are streamed are deltas as they come",
		chunks: []string{
			chunkOf(`{"functionCall":{"name":"cook","willContinue":true},"thoughtSignature":"s1"}`),
			chunkOf(`{"functionCall":{"partialArgs":[{"jsonPath":"$.dish","stringValue":"Lab","willContinue":true}],"willContinue":true}}`),
			chunkOf(`{"functionCall":{"partialArgs":[{"jsonPath":"$.dish","stringValue":"skaus"}],"willContinue":true}}`),
			chunkOf(`{"functionCall":{}}`),
			stop,
		},
		parts: []string{
			`{"type":"tool-input-start","id":"call-0-0","toolName":"cook",` + signed("s1") + `}`,
			`{"type":"tool-input-delta","id":"call-0-0","delta":"{\"dish\":\"Lab"}`,
			`{"type":"tool-input-delta","id":"call-0-0","delta":"skaus\""}`,
			`{"type":"tool-input-delta","id":"call-0-0","delta":"}"}`,
			`{"type":"tool-input-end","id":"call-0-0"}`,
			`{"type":"tool-call","toolCallId":"call-0-0","toolName":"cook","input":"{\"dish\":\"Labskaus\"}",` +
				signed("s1") + `}`,
			calling,
		},
	},
	{
		name: "a signature that comes with a later piece of a call",
		chunks: []string{
			chunkOf(`{"functionCall":{"name":"cook","willContinue":true}}`),
			chunkOf(`{"functionCall":{"partialArgs":[{"jsonPath":"$.n","numberValue":1}],"willContinue":true},"thoughtSignature":"s1"}`),
			chunkOf(`{"functionCall":{}}`),
			stop,
		},
		parts: []string{
			`{"type":"tool-input-start","id":"call-0-0","toolName":"cook"}`,
			`{"type":"tool-input-delta","id":"call-0-0","delta":"",` + signed("s1") + `}`,
			`{"type":"tool-input-delta","id":"call-0-0","delta":"{\"n\":1"}`,
			`{"type":"tool-input-delta","id":"call-0-0","delta":"}"}`,
			`{"type":"tool-input-end","id":"call-0-0"}`,
			`{"type":"tool-call","toolCallId":"call-0-0","toolName":"cook","input":"{\"n\":1}",` +
				signed("s1") + `}`,
			calling,
		},
	},
	{
		name: "a call that was cut off ends its input, and is dropped",
		chunks: []string{
			chunkOf(`{"functionCall":{"id":"f1","name":"cook","willContinue":true},"thoughtSignature":"s1"}`),
			chunkOf(`{"functionCall":{"partialArgs":[{"jsonPath":"$.dish","stringValue":"Lab","willContinue":true}],"willContinue":true}}`),
			`{"candidates":[{"finishReason":"MAX_TOKENS"}]}`,
		},
		parts: []string{
			`{"type":"tool-input-start","id":"f1","toolName":"cook",` + signed("s1") + `}`,
			`{"type":"tool-input-delta","id":"f1","delta":"{\"dish\":\"Lab"}`,
			`{"type":"tool-input-delta","id":"f1","delta":"\"}"}`,
			`{"type":"tool-input-end","id":"f1","providerMetadata":{"google":{"thoughtSignature":"s1","incomplete":true,"part":{"functionCall":{"partialArgs":[{"jsonPath":"$.dish","willContinue":true}],"willContinue":true}}}}}`,
			`{"type":"finish","usage":{"inputTokens":{},"outputTokens":{}},"finishReason":{"unified":"length","raw":"MAX_TOKENS"}}`,
		},
	},
}

// codeCallPart is the call of a piece of code.
func codeCallPart(id, source string) string {
	return fmt.Sprintf(`{"type":"tool-call","toolCallId":%q,"toolName":"code_execution","input":"{\"language\":\"PYTHON\",\"code\":\"%s\"}","providerExecuted":true,"dynamic":true}`,
		id, source)
}

func codeResultPart(id, output string) string {
	return fmt.Sprintf(`{"type":"tool-result","toolCallId":%q,"toolName":"code_execution","result":{"outcome":"OUTCOME_OK","output":%q}}`,
		id, output)
}

var executedCases = []geminiCase{
	{
		name: "code and its result",
		chunks: []string{chunkOf(
			`{"text":"A"}`,
			`{"executableCode":{"language":"PYTHON","code":"1+1"},"thoughtSignature":"s1"}`,
			`{"codeExecutionResult":{"outcome":"OUTCOME_OK","output":"2"},"thoughtSignature":"s2"}`,
			`{"text":"B"}`,
		), stop},
		parts: []string{
			`{"type":"text-start","id":"0"}`,
			`{"type":"text-delta","id":"0","delta":"A"}`,
			`{"type":"text-end","id":"0"}`,
			strings.TrimSuffix(codeCallPart("call-0-1", "1+1"), "}") + "," + signed("s1") + "}",
			strings.TrimSuffix(codeResultPart("call-0-1", "2"), "}") + "," + signed("s2") + "}",
			`{"type":"text-start","id":"1"}`,
			`{"type":"text-delta","id":"1","delta":"B"}`,
			`{"type":"text-end","id":"1"}`,
			stopped,
		},
	},
	{
		name: "results without ids belong to the codes in their order, and further ones to the last",
		chunks: []string{chunkOf(
			`{"executableCode":{"language":"PYTHON","code":"1"}}`,
			`{"executableCode":{"language":"PYTHON","code":"2"}}`,
			`{"codeExecutionResult":{"outcome":"OUTCOME_OK","output":"one"}}`,
			`{"codeExecutionResult":{"outcome":"OUTCOME_OK","output":"two"}}`,
			`{"codeExecutionResult":{"outcome":"OUTCOME_OK","output":"more"}}`,
		), stop},
		parts: []string{
			codeCallPart("call-0-0", "1"), codeCallPart("call-0-1", "2"),
			codeResultPart("call-0-0", "one"), codeResultPart("call-0-1", "two"),
			codeResultPart("call-0-1", "more"),
			stopped,
		},
	},
	{
		name: "results with ids belong to their codes",
		chunks: []string{chunkOf(
			`{"executableCode":{"id":"a","language":"PYTHON","code":"1"}}`,
			`{"executableCode":{"id":"b","language":"PYTHON","code":"2"}}`,
			`{"codeExecutionResult":{"id":"b","outcome":"OUTCOME_OK","output":"two"}}`,
			`{"codeExecutionResult":{"id":"a","outcome":"OUTCOME_OK","output":"one"}}`,
			`{"codeExecutionResult":{"id":"b","outcome":"OUTCOME_OK","output":"more"}}`,
		), stop},
		parts: []string{
			codeCallPart("a", "1"), codeCallPart("b", "2"),
			codeResultPart("b", "two"), codeResultPart("a", "one"), codeResultPart("b", "more"),
			stopped,
		},
	},
	{
		name: "a result without code gets a call",
		chunks: []string{chunkOf(`{"codeExecutionResult":{"outcome":"OUTCOME_OK","output":"2"}}`,
			`{"codeExecutionResult":{"id":"c","outcome":"OUTCOME_OK","output":"3"}}`), stop},
		parts: []string{
			`{"type":"tool-call","toolCallId":"call-0-0","toolName":"code_execution","input":"{}","providerExecuted":true,"dynamic":true}`,
			codeResultPart("call-0-0", "2"),
			`{"type":"tool-call","toolCallId":"c","toolName":"code_execution","input":"{}","providerExecuted":true,"dynamic":true}`,
			codeResultPart("c", "3"),
			stopped,
		},
	},
	{
		name: "tools of the server",
		chunks: []string{chunkOf(
			`{"toolCall":{"id":"t1","toolType":"GOOGLE_SEARCH_WEB","args":{"queries":["a"]}},"thoughtSignature":"s1"}`,
			`{"toolResponse":{"id":"t1","toolType":"GOOGLE_SEARCH_WEB","response":{"hits":3}},"thoughtSignature":"s2"}`,
			`{"toolCall":{"toolName":"maps"}}`,
			`{"toolResponse":{}}`,
		), stop},
		parts: []string{
			`{"type":"tool-call","toolCallId":"t1","toolName":"server:GOOGLE_SEARCH_WEB","input":"{\"queries\":[\"a\"]}","providerExecuted":true,"dynamic":true,` +
				`"providerMetadata":{"google":{"thoughtSignature":"s1","serverToolCallId":"t1","serverToolType":"GOOGLE_SEARCH_WEB"}}}`,
			`{"type":"tool-result","toolCallId":"t1","toolName":"server:GOOGLE_SEARCH_WEB","result":{"hits":3},"dynamic":true,` +
				`"providerMetadata":{"google":{"thoughtSignature":"s2","serverToolCallId":"t1","serverToolType":"GOOGLE_SEARCH_WEB"}}}`,
			`{"type":"tool-call","toolCallId":"call-0-2","toolName":"server:maps","input":"{}","providerExecuted":true,"dynamic":true,` +
				`"providerMetadata":{"google":{"serverToolCallId":"call-0-2","serverToolName":"maps"}}}`,
			`{"type":"tool-result","toolCallId":"call-0-2","toolName":"server:maps","result":{},"dynamic":true,` +
				`"providerMetadata":{"google":{"serverToolCallId":"call-0-2"}}}`,
			stopped,
		},
	},
	{
		name:   "a server's result without a call, and without a name",
		chunks: []string{chunkOf(`{"toolResponse":{"response":{"hits":3}}}`), stop},
		parts: []string{
			`{"type":"tool-call","toolCallId":"call-0-0","toolName":"unknown","input":"{}","providerExecuted":true,"dynamic":true,"providerMetadata":{"google":{"serverToolCallId":"call-0-0"}}}`,
			`{"type":"tool-result","toolCallId":"call-0-0","toolName":"unknown","result":{"hits":3},"dynamic":true,"providerMetadata":{"google":{"serverToolCallId":"call-0-0"}}}`,
			stopped,
		},
	},
	{
		name: "a result of a function without a call gets one",
		chunks: []string{chunkOf(`{"functionResponse":{"name":"time","response":{"error":"no clock"}}}`),
			stop},
		parts: []string{
			`{"type":"tool-call","toolCallId":"call-0-0","toolName":"time","input":"{}","providerExecuted":true,"dynamic":true}`,
			`{"type":"tool-result","toolCallId":"call-0-0","toolName":"time","result":{"error":"no clock"},"isError":true,"dynamic":true}`,
			stopped,
		},
	},
}

const fileChunk = `{"fileData":{"fileUri":"gs://bucket/plan.pdf","mimeType":"application/pdf","displayName":"Plan"},"thoughtSignature":"s1"}`

var fileCases = []geminiCase{
	{
		name: "a file closes a block",
		chunks: []string{chunkOf(`{"text":"A"}`),
			chunkOf(`{"inlineData":{"mimeType":"image/png","data":"aW1n"},"thoughtSignature":"s1"}`,
				`{"text":"B"}`), stop},
		parts: []string{
			`{"type":"text-start","id":"0"}`,
			`{"type":"text-delta","id":"0","delta":"A"}`,
			`{"type":"text-end","id":"0"}`,
			`{"type":"file","mediaType":"image/png","data":"aW1n",` + signed("s1") + `}`,
			`{"type":"text-start","id":"1"}`,
			`{"type":"text-delta","id":"1","delta":"B"}`,
			`{"type":"text-end","id":"1"}`,
			stopped,
		},
	},
	{
		name: "a draft in V3 is a file",
		chunks: []string{chunkOf(`{"inlineData":{"data":"aW1n","displayName":"d.png"},"thought":true}`),
			stop},
		parts: []string{
			`{"type":"file","mediaType":"application/octet-stream","data":"aW1n","providerMetadata":{"google":{"thought":true,"displayName":"d.png"}}}`,
			stopped,
		},
	},
	{
		name: "a draft in V4 is a reasoning file",
		v4:   true,
		chunks: []string{chunkOf(`{"inlineData":{"mimeType":"image/png","data":"aW1n"},"thought":true}`),
			stop},
		parts: []string{`{"type":"reasoning-file","mediaType":"image/png","data":{"type":"data","data":"aW1n"}}`,
			stopped},
	},
	{
		name: "a file by its address in V3 is a source",
		chunks: []string{chunkOf(fileChunk, `{"fileData":{"fileUri":"https://example.com/a.png"}}`,
			`{"fileData":{}}`), stop},
		parts: []string{
			`{"type":"source","sourceType":"document","id":"source-1","mediaType":"application/pdf","title":"Plan","filename":"plan.pdf",` +
				`"providerMetadata":{"google":{"thoughtSignature":"s1","fileData":{"displayName":"Plan","fileUri":"gs://bucket/plan.pdf","mimeType":"application/pdf"}}}}`,
			`{"type":"source","sourceType":"url","id":"source-2","url":"https://example.com/a.png",` +
				`"providerMetadata":{"google":{"fileData":{"fileUri":"https://example.com/a.png"}}}}`,
			`{"type":"source","sourceType":"document","id":"source-3","mediaType":"application/octet-stream","title":"untitled",` +
				`"providerMetadata":{"google":{"fileData":{}}}}`,
			stopped,
		},
	},
	{
		name: "a file by its address in V4 is a source too, as the SDK would fetch a file",
		v4:   true,
		chunks: []string{chunkOf(fileChunk,
			`{"fileData":{"fileUri":"https://example.com/v1beta/files/a","mimeType":"image/png"},"thought":true}`),
			stop},
		parts: []string{
			`{"type":"source","sourceType":"document","id":"source-1","mediaType":"application/pdf","title":"Plan","filename":"plan.pdf",` +
				`"providerMetadata":{"google":{"thoughtSignature":"s1","fileData":{"displayName":"Plan","fileUri":"gs://bucket/plan.pdf","mimeType":"application/pdf"}}}}`,
			`{"type":"source","sourceType":"url","id":"source-2","url":"https://example.com/v1beta/files/a",` +
				`"providerMetadata":{"google":{"thought":true,"fileData":{"fileUri":"https://example.com/v1beta/files/a","mimeType":"image/png"}}}}`,
			stopped,
		},
	},
	{
		name: "a file whose address is its data in V4 is a file",
		v4:   true,
		chunks: []string{chunkOf(`{"fileData":{"fileUri":"data:image/png;base64,aW1n","mimeType":"image/png","displayName":"Plan"}}`),
			stop},
		parts: []string{
			`{"type":"file","mediaType":"image/png","data":{"type":"url","url":"data:image/png;base64,aW1n"},"providerMetadata":{"google":{"displayName":"Plan"}}}`,
			stopped,
		},
	},
	{
		name:   "a part of an unknown kind in V3 is reported by the finish",
		chunks: []string{chunkOf(`{"text":"A"}`, `{"hologram":{"x":1}}`, `{"text":"B"}`), stop},
		parts: []string{
			`{"type":"text-start","id":"0"}`,
			`{"type":"text-delta","id":"0","delta":"A"}`,
			`{"type":"text-delta","id":"0","delta":"B"}`,
			`{"type":"text-end","id":"0"}`,
			finishedWith(`{"parts":[{"index":1,"part":{"hologram":{"x":1}}}]}`),
		},
	},
	{
		name:   "a part of an unknown kind in V4 is custom",
		v4:     true,
		chunks: []string{chunkOf(`{"hologram":{"x":1}}`), stop},
		parts: []string{`{"type":"custom","kind":"google.part","providerMetadata":{"google":{"part":{"hologram":{"x":1}}}}}`,
			stopped},
	},
}

const groundedChunk = `{"candidates":[{"finishReason":"STOP","groundingMetadata":{"groundingChunks":[` +
	`{"web":{"uri":"https://a.example","title":"A"}},{"web":{"uri":"https://a.example","title":"A again"}},{"web":{"title":"no address"}},` +
	`{"maps":{"uri":"https://maps.example","title":"Place"}},{"image":{"sourceUri":"https://img.example","imageUri":"https://img.example/i.png"}},` +
	`{"retrievedContext":{"uri":"https://doc.example","title":"Doc"}},{"retrievedContext":{"uri":"gs://b/Notes.TXT","title":"Notes"}},` +
	`{"retrievedContext":{"fileSearchStore":"stores/s","title":"Manual"}},{"retrievedContext":{"fileSearchStore":"stores/s","title":"Manual"}},` +
	`{"retrievedContext":{}},{"new":{}}]},` +
	`"citationMetadata":{"citationSources":[{"uri":"https://a.example"},{"uri":"https://c.example"},{"license":"MIT"}],"citations":[{"uri":"https://v.example","title":"V"}]},` +
	`"urlContextMetadata":{"urlMetadata":[{"retrievedUrl":"https://c.example","urlRetrievalStatus":"URL_RETRIEVAL_STATUS_SUCCESS"},` +
	`{"retrievedUrl":"https://p.example","urlRetrievalStatus":"URL_RETRIEVAL_STATUS_SUCCESS"},` +
	`{"retrievedUrl":"https://e.example","urlRetrievalStatus":"URL_RETRIEVAL_STATUS_ERROR"}]}}]}`

func TestEachSourceIsSentOnce(t *testing.T) {
	t.Parallel()
	want := []string{
		`{"type":"source","sourceType":"url","id":"source-1","url":"https://a.example","title":"A"}`,
		`{"type":"source","sourceType":"url","id":"source-2","url":"https://maps.example","title":"Place"}`,
		`{"type":"source","sourceType":"url","id":"source-3","url":"https://img.example"}`,
		`{"type":"source","sourceType":"url","id":"source-4","url":"https://doc.example","title":"Doc"}`,
		`{"type":"source","sourceType":"document","id":"source-5","mediaType":"text/plain","title":"Notes","filename":"Notes.TXT","providerMetadata":{"google":{"uri":"gs://b/Notes.TXT"}}}`,
		`{"type":"source","sourceType":"document","id":"source-6","mediaType":"application/octet-stream","title":"Manual"}`,
		`{"type":"source","sourceType":"url","id":"source-7","url":"https://c.example"}`,
		`{"type":"source","sourceType":"url","id":"source-8","url":"https://v.example","title":"V"}`,
		`{"type":"source","sourceType":"url","id":"source-9","url":"https://p.example"}`,
	}
	var got []string
	for _, line := range mapLines(t, decodeChunks(t, groundedChunk, groundedChunk)) {
		if strings.Contains(line, `"type":"source"`) {
			got = append(got, line)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

var responseCases = []geminiCase{
	{
		name: "the model and id are reported once, before the content",
		chunks: []string{
			`{"responseId":"r1","modelVersion":"gemini-x","createTime":"2026-02-03T04:05:06.123456Z"}`,
			`{"responseId":"r1","modelVersion":"gemini-x","createTime":"2026-02-03T04:05:06.123456Z"}`,
			stop,
		},
		parts: []string{`{"type":"response-metadata","id":"r1","timestamp":"2026-02-03T04:05:06.123456Z","modelId":"gemini-x"}`,
			stopped},
	},
	{
		name: "the model and id are reported as they arrive, each once",
		chunks: []string{
			`{"modelVersion":"gemini-x"}`, `{"responseId":"r1","modelVersion":"gemini-x"}`,
			`{"responseId":"r2"}`,
			`{"createTime":"2026-02-03T04:05:06Z"}`, stop,
		},
		parts: []string{
			`{"type":"response-metadata","modelId":"gemini-x"}`,
			`{"type":"response-metadata","id":"r1"}`,
			`{"type":"response-metadata","timestamp":"2026-02-03T04:05:06Z"}`,
			stopped,
		},
	},
	{
		name: "the model is sent late if the first chunk does not name it",
		chunks: []string{chunkOf(`{"text":"A"}`),
			`{"responseId":"r1","modelVersion":"gemini-x","candidates":[{"finishReason":"STOP"}]}`},
		parts: []string{
			`{"type":"text-start","id":"0"}`,
			`{"type":"text-delta","id":"0","delta":"A"}`,
			`{"type":"response-metadata","id":"r1","modelId":"gemini-x"}`,
			`{"type":"text-end","id":"0"}`,
			stopped,
		},
	},
	{
		name:   "a time that is invalid is reported by the finish",
		chunks: []string{`{"responseId":"r1","createTime":"soon"}`, stop},
		parts: []string{`{"type":"response-metadata","id":"r1"}`,
			finishedWith(`{"response":{"createTime":"soon"}}`)},
	},
	{
		name:   "a time in a year that no timestamp has is reported by the finish",
		chunks: []string{`{"createTime":"9999-12-31T23:59:59-01:00"}`, stop},
		parts:  []string{finishedWith(`{"response":{"createTime":"9999-12-31T23:59:59-01:00"}}`)},
	},
	{
		name:   "the zero time, which a timestamp would leave out, is reported by the finish",
		chunks: []string{stop, `{"createTime":"0001-01-01T00:00:00Z"}`},
		parts:  []string{finishedWith(`{"response":{"createTime":"0001-01-01T00:00:00Z"}}`)},
	},
	{
		name: "the last chunk with counts sets the usage",
		chunks: []string{
			`{"usageMetadata":{"promptTokenCount":9,"totalTokenCount":9}}`,
			`{"candidates":[{"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":10,"cachedContentTokenCount":4,"toolUsePromptTokenCount":3,` +
				`"candidatesTokenCount":5,"thoughtsTokenCount":7,"totalTokenCount":25}}`,
			`{"usageMetadata":{"trafficType":"ON_DEMAND","serviceTier":"standard"}}`,
		},
		parts: []string{
			`{"type":"finish","usage":{"inputTokens":{"total":13,"noCache":9,"cacheRead":4},"outputTokens":{"total":12,"text":5,"reasoning":7},"raw":` +
				wholeUsage + `},` +
				`"finishReason":{"unified":"stop","raw":"STOP"},"providerMetadata":{"google":{"usageMetadata":` +
				wholeUsage + `,"serviceTier":"standard"}}}`,
		},
	},
	{
		name:   "a record without counts is unknown usage",
		chunks: []string{stop, `{"usageMetadata":{"trafficType":"ON_DEMAND"}}`},
		parts: []string{
			`{"type":"finish","usage":{"inputTokens":{},"outputTokens":{},"raw":{"trafficType":"ON_DEMAND"}},` +
				`"finishReason":{"unified":"stop","raw":"STOP"},"providerMetadata":{"google":{"usageMetadata":{"trafficType":"ON_DEMAND"}}}}`,
		},
	},
	{
		name: "all that is said of the answer as a whole is reported by the finish",
		chunks: []string{
			`{"promptFeedback":{"safetyRatings":[{"category":"HARM_CATEGORY_HARASSMENT","probability":"LOW"}]},"newMember":[1]}`,
			`{"candidates":[{"content":{"role":"other"},"safetyRatings":[{"category":"HARM_CATEGORY_HARASSMENT","probability":"LOW"}],"avgLogprobs":"-Infinity",` +
				`"logprobsResult":{"chosenCandidates":[{"token":"a","logProbability":-0.5}]},"tokenCount":3,"newOne":true}],"modelStatus":{"modelStage":"STABLE"}}`,
			`{"candidates":[{"finishReason":"STOP","finishMessage":"done","groundingMetadata":{"webSearchQueries":["q"]},"urlContextMetadata":{},` +
				`"logprobsResult":{"chosenCandidates":[{"token":"b","logProbability":-1}]}}]}`,
		},
		parts: []string{finishedWith(
			`{"promptFeedback":{"safetyRatings":[{"category":"HARM_CATEGORY_HARASSMENT","probability":"LOW"}]},` +
				`"groundingMetadata":{"webSearchQueries":["q"]},` +
				`"safetyRatings":[{"category":"HARM_CATEGORY_HARASSMENT","probability":"LOW"}],"finishMessage":"done","avgLogprobs":"-Infinity",` +
				`"logprobsResult":{"chosenCandidates":[{"logProbability":-0.5,"token":"a"},{"logProbability":-1,"token":"b"}]},` +
				`"modelStatus":{"modelStage":"STABLE"},"candidate":{"content":{"role":"other"},"tokenCount":3,"newOne":true},"response":{"newMember":[1]}}`)},
	},
	{
		name:   "a refused prompt",
		chunks: []string{`{"promptFeedback":{"blockReason":"SAFETY"},"usageMetadata":{"promptTokenCount":4,"totalTokenCount":4}}`},
		parts: []string{
			`{"type":"finish","usage":{"inputTokens":{"total":4,"noCache":4,"cacheRead":0},"outputTokens":{"total":0,"text":0,"reasoning":0},"raw":{"promptTokenCount":4,"totalTokenCount":4}},` +
				`"finishReason":{"unified":"content-filter","raw":"SAFETY"},` +
				`"providerMetadata":{"google":{"promptFeedback":{"blockReason":"SAFETY"},"usageMetadata":{"promptTokenCount":4,"totalTokenCount":4}}}}`,
		},
	},
	{
		name: "a prompt that is refused after all",
		chunks: []string{chunkOf(`{"text":"A"}`), stop,
			`{"promptFeedback":{"blockReason":"OTHER"}}`},
		parts: []string{
			`{"type":"text-start","id":"0"}`,
			`{"type":"text-delta","id":"0","delta":"A"}`,
			`{"type":"text-end","id":"0"}`,
			`{"type":"finish","usage":{"inputTokens":{},"outputTokens":{}},"finishReason":{"unified":"content-filter","raw":"OTHER"},` +
				`"providerMetadata":{"google":{"promptFeedback":{"blockReason":"OTHER"},"candidate":{"finishReason":"STOP"}}}}`,
		},
	},
	{
		name:   "a stream that breaks off",
		chunks: []string{chunkOf(`{"text":"A"}`)},
		parts: []string{
			`{"type":"text-start","id":"0"}`,
			`{"type":"text-delta","id":"0","delta":"A"}`,
			`{"type":"text-end","id":"0"}`,
			`{"type":"error","error":"no chunk of the stream has a finish reason: truncated stream"}`,
			`{"type":"finish","usage":{"inputTokens":{},"outputTokens":{}},"finishReason":{"unified":"error"}}`,
		},
	},
	{
		name:   "a stream that breaks off in V4",
		v4:     true,
		chunks: nil,
		parts: []string{
			`{"type":"error","error":"no chunk of the stream has a finish reason: truncated stream"}`,
			`{"type":"finish","usage":{"inputTokens":{},"outputTokens":{}},"finishReason":{"unified":"interrupted"}}`,
		},
	},
	{
		name: "a chunk that is an error",
		chunks: []string{
			chunkOf(`{"text":"A"}`), stop,
			`{"error":{"code":503,"message":"overloaded","status":"UNAVAILABLE","details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"2s"}]}}`,
			chunkOf(`{"text":"B"}`),
		},
		parts: []string{
			`{"type":"text-start","id":"0"}`,
			`{"type":"text-delta","id":"0","delta":"A"}`,
			`{"type":"text-end","id":"0"}`,
			`{"type":"error","error":{"code":503,"message":"overloaded","status":"UNAVAILABLE","details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"2s"}]}}`,
			`{"type":"finish","usage":{"inputTokens":{},"outputTokens":{}},"finishReason":{"unified":"error","raw":"STOP"}}`,
		},
	},
	{
		name:   "a call without a name",
		chunks: []string{chunkOf(`{"text":"A"}`, `{"functionCall":{"args":{"a":1}}}`), stop},
		parts: []string{
			`{"type":"text-start","id":"0"}`,
			`{"type":"text-delta","id":"0","delta":"A"}`,
			`{"type":"text-end","id":"0"}`,
			`{"type":"error","error":"/0/candidates/0/content/parts/1/functionCall: functionCall missing 'name' field"}`,
			`{"type":"finish","usage":{"inputTokens":{},"outputTokens":{}},"finishReason":{"unified":"error"}}`,
		},
	},
	{
		name:   "of several candidates the first is streamed",
		chunks: []string{`{"candidates":[{"index":1,"content":{"parts":[{"text":"B"}]},"finishReason":"SAFETY"},{"index":0,"content":{"parts":[{"text":"A"}]},"finishReason":"STOP"}]}`},
		parts: []string{
			`{"type":"text-start","id":"0"}`,
			`{"type":"text-delta","id":"0","delta":"A"}`,
			`{"type":"text-end","id":"0"}`,
			stopped,
		},
	},
	{
		name:   "there is no first candidate",
		chunks: []string{`{"candidates":[{"index":1,"content":{"parts":[{"text":"B"}]},"finishReason":"STOP"}]}`},
		parts:  []string{`{"type":"finish","usage":{"inputTokens":{},"outputTokens":{}},"finishReason":{"unified":"other"}}`},
	},
}

// geminiCases returns the cases of all tables.
func geminiCases() [][]geminiCase {
	return [][]geminiCase{textCases, callCases, executedCases, answeredCases, repeatedCases,
		fileCases, responseCases}
}

const wholeUsage = `{"cachedContentTokenCount":4,"candidatesTokenCount":5,"promptTokenCount":10,"serviceTier":"standard","thoughtsTokenCount":7,` +
	`"toolUsePromptTokenCount":3,"totalTokenCount":25,"trafficType":"ON_DEMAND"}`

func TestGeminiStreamsByTheirRules(t *testing.T) {
	t.Parallel()
	for _, cases := range geminiCases() {
		for _, c := range cases {
			t.Run(c.name, func(t *testing.T) {
				t.Parallel()
				var opts []aisdk.Option
				if c.v4 {
					opts = append(opts, aisdk.ForV4())
				}
				chunks := decodeChunks(t, c.chunks...)
				got := mapLines(t, chunks, opts...)
				if diff := cmp.Diff(append([]string{streamStart}, c.parts...), got); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
				parts, _, _ := mapRecorded(recordedStream{chunks: chunks}, opts...)
				checkGrammar(t, parts, c.v4)
				if len(chunks) > 0 {
					checkComplete(t, c.name, encodeChunks(t, chunks), nil, jsonleaf.Enough(1<<30),
						opts...)
				}
			})
		}
	}
}

func decodeChunks(t testing.TB, chunks ...string) (out []*geminiapi.GenerateContentResponse) {
	t.Helper()
	for _, text := range chunks {
		chunk, err := gemini.DecodeResponse([]byte(text))
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		out = append(out, chunk)
	}
	return out
}

// mapLines returns the parts of a stream as lines, with a line for a failed stream.
func mapLines(t testing.TB, chunks []*geminiapi.GenerateContentResponse,
	opts ...aisdk.Option) []string {
	t.Helper()
	lines, _ := mapLinesAndReport(t, chunks, opts...)
	return lines
}

func mapLinesAndReport(t testing.TB, chunks []*geminiapi.GenerateContentResponse,
	opts ...aisdk.Option) ([]string, report.Report) {
	t.Helper()
	var out strings.Builder
	report, err := aisdk.WriteStream(&out, recordedStream{chunks: chunks}.all(),
		append(opts, sameIDs()...)...)
	if _, failed := errors.AsType[*normalize.Error](err); err != nil && !failed {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n"), report
}

// Each finish reason of the wire has the unified reason of the SDK's own provider, if that knows
// it.
func TestFinishReasonsAreUnified(t *testing.T) {
	t.Parallel()
	want := map[geminiapi.FinishReason]aisdkapi.UnifiedFinishReason{
		"STOP": "stop", "MAX_TOKENS": "length", "CONTINUATION": "length",
		"IMAGE_SAFETY": "content-filter", "RECITATION": "content-filter",
		"SAFETY":    "content-filter",
		"BLOCKLIST": "content-filter", "PROHIBITED_CONTENT": "content-filter",
		"SPII":                    "content-filter",
		"MALFORMED_FUNCTION_CALL": "error", "OTHER": "other", "LANGUAGE": "other",
		"A_NEW_ONE":   "other",
		"MODEL_ARMOR": "content-filter", "UNEXPECTED_TOOL_CALL": "error",
	}
	for reason, unified := range want {
		chunk := &geminiapi.GenerateContentResponse{Candidates: []geminiapi.Candidate{{FinishReason: &reason}}}
		parts, _, err := mapRecorded(recordedStream{chunks: []*geminiapi.GenerateContentResponse{chunk}})
		if err != nil {
			t.Fatal(err)
		}
		got := parts[len(parts)-1].(aisdkapi.Finish).FinishReason
		if diff := cmp.Diff(aisdkapi.FinishReason{Unified: unified, Raw: string(reason)},
			got); diff != "" {
			t.Error(diff)
		}
	}
}

func TestRawChunksStandBeforeTheirParts(t *testing.T) {
	t.Parallel()
	got := mapLines(t, decodeChunks(t, chunkOf(`{"text":"A"}`), stop), aisdk.WithRawChunks())
	want := []string{
		streamStart,
		`{"type":"raw","rawValue":{"candidates":[{"content":{"parts":[{"text":"A"}],"role":"model"}}]}}`,
		`{"type":"text-start","id":"0"}`,
		`{"type":"text-delta","id":"0","delta":"A"}`,
		`{"type":"raw","rawValue":` + stop + `}`,
		`{"type":"text-end","id":"0"}`,
		stopped,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestWarningsAreThoseOfTheStreamStart(t *testing.T) {
	t.Parallel()
	got := mapLines(t, decodeChunks(t, stop),
		aisdk.WithWarnings(aisdkapi.UnsupportedWarning{Feature: "seed"}))
	if want := `{"type":"stream-start","warnings":[{"type":"unsupported","feature":"seed"}]}`; got[0] != want {
		t.Errorf("%s, want %s", got[0], want)
	}
}

func TestIDsThatAreNotGivenAreRandom(t *testing.T) {
	t.Parallel()
	const chunk = `{"candidates":[{"content":{"parts":[{"functionCall":{"name":"a"}},{"executableCode":{"code":"1"}}]},"finishReason":"STOP",` +
		`"groundingMetadata":{"groundingChunks":[{"web":{"uri":"https://a.example"}}]}}]}`
	empty := []aisdk.Option{
		aisdk.WithToolCallIDs(func(string, int, int) string { return "" }),
		aisdk.WithSourceIDs(func() string { return "" }),
	}
	seen := map[string]bool{}
	for _, opts := range [][]aisdk.Option{nil, nil, empty} {
		for part, err := range aisdk.FromGemini(
			recordedStream{chunks: decodeChunks(t, chunk)}.all(), opts...) {
			if err != nil {
				t.Fatal(err)
			}
			switch p := part.(type) {
			case aisdkapi.ToolCall:
				seen[p.ToolCallID] = true
			case aisdkapi.URLSource:
				seen[p.ID] = true
			case aisdkapi.DocumentSource:
				seen[p.ID] = true
			}
		}
	}
	if len(seen) != 9 || seen[""] {
		t.Errorf("the ids are %v", seen)
	}
}

// The caller gets the parts before the next chunk is read, and the stream start before the first.
func TestPartsComeBeforeTheNextChunkIsAskedFor(t *testing.T) {
	t.Parallel()
	var parts []aisdkapi.PartType
	var asked []int
	chunks := func(yield func(*geminiapi.GenerateContentResponse, error) bool) {
		for _, chunk := range decodeChunks(t, chunkOf(`{"text":"A"}`), stop) {
			asked = append(asked, len(parts))
			if !yield(chunk, nil) {
				return
			}
		}
	}
	for part, err := range aisdk.FromGemini(chunks) {
		if err != nil {
			t.Fatal(err)
		}
		parts = append(parts, part.PartType())
	}
	if diff := cmp.Diff([]int{1, 3}, asked); diff != "" {
		t.Errorf("chunks were asked for after so many parts (-want +got):\n%s", diff)
	}
}

func TestALoopOverPartsMayBreakOffAnywhere(t *testing.T) {
	t.Parallel()
	stream := recordedStream{chunks: decodeChunks(t, chunkOf(`{"text":"A"}`),
		chunkOf(`{"functionCall":{"name":"b"}}`), stop), err: io.ErrClosedPipe}
	whole, _, _ := mapRecorded(stream)
	for n := range whole {
		seen := 0
		for range aisdk.FromGemini(stream.all()) {
			if seen == n {
				break
			}
			seen++
		}
		if seen != n {
			t.Errorf("%d parts, want %d", seen, n)
		}
	}
}

func TestAFailureIsAPartAndTheErrorAfterThem(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		stream   recordedStream
		category normalize.Category
		cause    error
	}{
		"of the reader":   {recordedStream{decodeChunks(t, stop), io.ErrClosedPipe}, normalize.CategoryUnknown, io.ErrClosedPipe},
		"a cut":           {recordedStream{decodeChunks(t, chunkOf()), nil}, normalize.CategoryNetwork, wire.ErrTruncated},
		"an error chunk":  {recordedStream{decodeChunks(t, `{"error":{"status":"INTERNAL"}}`), nil}, normalize.CategoryServer, &gemini.Error{Status: "INTERNAL"}},
		"an error answer": {recordedStream{nil, &gemini.Error{HTTPStatus: 429, Message: "slow"}}, normalize.CategoryRateLimit, &gemini.Error{HTTPStatus: 429}},
	} {
		parts, _, err := mapRecorded(test.stream)
		described, ok := errors.AsType[*normalize.Error](err)
		if !ok || described.Category != test.category || !errors.Is(err, test.cause) {
			t.Errorf("%s: %v", name, err)
		}
		checkGrammar(t, parts, false)
		checkEnd(t, parts, err, false)
	}
}

func TestAKeyInAnErrorIsNotPassedOn(t *testing.T) {
	t.Parallel()
	key := "AIza" + strings.Repeat("x", 35)
	lines, report := mapLinesAndReport(t,
		decodeChunks(t, `{"error":{"code":400,"message":"API key not valid: `+key+`"}}`))
	if text := strings.Join(lines, "\n") + fmt.Sprint(report); strings.Contains(text, key) {
		t.Errorf("the key is in %s", text)
	}
	if !report.Covers("/0/error/message") {
		t.Errorf("the report does not say that the message was changed: %v", report)
	}
}

func TestAStreamEndsOnce(t *testing.T) {
	t.Parallel()
	stopChunk := decodeChunks(t, stop)[0]
	s := aisdk.NewStream()
	if parts, err := s.Push(nil); len(parts) != 1 || err != nil {
		t.Errorf("%v, %v of no chunk, want the stream start", parts, err)
	}
	if parts, err := s.Push(stopChunk); len(parts) != 0 || err != nil {
		t.Errorf("parts %v, error %v", parts, err)
	}
	if parts, err := s.Close(io.EOF); len(parts) != 1 ||
		parts[0].PartType() != aisdkapi.PartTypeFinish || err != nil {
		t.Errorf("the end is %v, the error %v", parts, err)
	}
	if parts, err := s.Close(io.ErrClosedPipe); len(parts) != 0 || err != nil {
		t.Errorf("closed again: %v, %v", parts, err)
	}
	if parts, err := s.Push(stopChunk); len(parts) != 0 || err == nil {
		t.Errorf("pushed after the end: %v, %v", parts, err)
	}
	want := report.Report{{Pointer: "/2", Kind: report.Lost,
		Detail: "it came after the end of the stream"}}
	if diff := cmp.Diff(want, s.Report()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestNothingIsAskedForAfterAnErrorChunk(t *testing.T) {
	t.Parallel()
	asked := 0
	var chunks iter.Seq2[*geminiapi.GenerateContentResponse,
		error] = func(yield func(*geminiapi.GenerateContentResponse, error) bool) {
		for _, chunk := range decodeChunks(t, `{"error":{"code":500}}`, stop) {
			asked++
			if !yield(chunk, nil) {
				return
			}
		}
	}
	if _, err := aisdk.WriteStream(io.Discard, chunks); err == nil || asked != 1 {
		t.Errorf("%d chunks were asked for, the error is %v", asked, err)
	}
}

func TestTheGeminiReportSaysWhatBecameOfIt(t *testing.T) {
	t.Parallel()
	chunks := decodeChunks(t,
		`{"responseId":"r1","usageMetadata":{"promptTokenCount":1},"candidates":[{"index":1,"content":{"parts":[{"text":"x"}]}},`+
			`{"index":0,"safetyRatings":[{"probability":"LOW"}],"content":{"parts":[{"functionCall":{"name":"f"}},{"executableCode":{"code":"1"}},`+
			`{"toolCall":{}},{"inlineData":{"data":""}},{"fileData":{"fileUri":"gs://a"}}]}}]}`,
		`{"responseId":"r2","candidates":[{"content":{"role":"model","parts":[{"toolResponse":{"id":"t","toolType":"X"}}]},"safetyRatings":[{"probability":"HIGH"}],"finishReason":"STOP"}],`+
			`"usageMetadata":{"promptTokenCount":2}}`,
	)
	_, got := mapLinesAndReport(t, chunks)
	want := report.Report{
		{Pointer: "/0/candidates/0", Kind: report.Lost, Detail: "only the first candidate is streamed"},
		{Pointer: "/0/candidates/1/content/parts/0/functionCall/id", Kind: report.Added, Detail: "the call has no id"},
		{Pointer: "/0/candidates/1/content/parts/1/executableCode/id", Kind: report.Added, Detail: "the call has no id"},
		{Pointer: "/0/candidates/1/content/parts/2/toolCall/id", Kind: report.Added, Detail: "the call has no id"},
		{Pointer: "/0/candidates/1/content/parts/3/inlineData/mimeType", Kind: report.Added, Detail: "the file has no media type"},
		{Pointer: "/0/candidates/1/content/parts/4/fileData", Kind: report.Approximated, Detail: "converted to a source, because files have no address"},
		{Pointer: "/0/candidates/1/safetyRatings", Kind: report.Approximated, Detail: "a later chunk has another value"},
		{Pointer: "/1/candidates/0/content/parts/0/toolResponse", Kind: report.Added, Detail: "the result has no call before it"},
		{Pointer: "/1/responseId", Kind: report.Approximated, Detail: "an earlier chunk has another value, which is used"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Data in the chunk that ends the stream is not replaced by the data of the finish, which is older.
func TestTheReportOfAChunkThatEndsTheStream(t *testing.T) {
	t.Parallel()
	before := `{"candidates":[{"content":{"role":"model"},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":1}}`
	for name, test := range map[string]struct {
		last string
		want report.Report
	}{
		"it cannot be understood": {
			`{"candidates":[{"content":{"parts":[{"text":"A"},{"functionCall":{"args":{"a":1}}}]},"finishReason":"MAX_TOKENS"}],"usageMetadata":{"promptTokenCount":2}}`,
			report.Report{
				{Pointer: "/1", Kind: report.Lost, Detail: "the chunk cannot be read to its end"},
			},
		},
		"it is an error": {
			`{"error":{"code":500},"usageMetadata":{"promptTokenCount":2},"modelVersion":"m"}`,
			report.Report{
				{Pointer: "/1/usageMetadata", Kind: report.Lost, Detail: "the chunk is an error"},
				{Pointer: "/1/modelVersion", Kind: report.Lost, Detail: "the chunk is an error"},
			},
		},
	} {
		_, got := mapLinesAndReport(t, decodeChunks(t, before, test.last))
		less := func(a, b report.Entry) bool { return a.Pointer < b.Pointer }
		if diff := cmp.Diff(test.want, got, cmpopts.SortSlices(less)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestTheReportHasWhatNoPartHas(t *testing.T) {
	t.Parallel()
	_, got := mapLinesAndReport(t,
		decodeChunks(t, `{"candidates":[{"content":{"role":"model"},"finishReason":"FINISH_REASON_UNSPECIFIED"}]}`))
	want := report.Report{{Pointer: "/0/candidates/0/finishReason", Kind: report.Lost,
		Detail: "the candidate does not end"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestTheReportSaysWhichTimesNoTimestampHolds(t *testing.T) {
	t.Parallel()
	for created, is := range map[string]bool{
		"2026-02-03T04:05:06Z": true, "9999-12-31T23:59:59Z": true, "0000-01-01T00:00:00Z": true,
		"0001-01-01T00:00:01Z":      true,
		"9999-12-31T23:59:59-01:00": false, "0000-01-01T00:00:00+01:00": false,
		"0001-01-01T00:00:00Z": false, "soon": false,
	} {
		var want report.Report
		if !is {
			want = report.Report{{Pointer: "/1/createTime", Kind: report.Approximated,
				Detail: "moved to the finish, because no timestamp can hold it"}}
		}
		lines, got := mapLinesAndReport(t, decodeChunks(t, stop, `{"createTime":"`+created+`"}`))
		if diff := cmp.Diff(want, got); diff != "" ||
			strings.Contains(lines[1], "timestamp") != is {
			t.Errorf("%s: %s (-want +got):\n%s", created, lines[1], diff)
		}
	}
}

// Candidates without an index come in order, and package normalize distinguishes them by their
// order.
func TestOfCandidatesWithoutAnIndexTheFirstIsStreamed(t *testing.T) {
	t.Parallel()
	candidate := func(text, finish string) string {
		return `{"content":{"role":"model","parts":[{"text":"` + text + `"}]},"finishReason":"` +
			finish + `"}`
	}
	lines, got := mapLinesAndReport(t,
		decodeChunks(t, `{"candidates":[`+candidate("A", "STOP")+`,`+candidate("B", "SAFETY")+`]}`))
	if diff := cmp.Diff(join([]string{streamStart}, textParts("0", "A"), []string{stopped}),
		lines); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	want := report.Report{{Pointer: "/0/candidates/1", Kind: report.Lost,
		Detail: "only the first candidate is streamed"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Golden streams from recorded bytes to lines: a thinking answer with sources, and parallel calls
// with arguments in pieces.
func TestTheGoldenGeminiStreams(t *testing.T) {
	t.Parallel()
	inputs, err := filepath.Glob(filepath.Join("testdata", "streams", "*.sse"))
	if err != nil || len(inputs) < 2 {
		t.Fatalf("%d streams, %v", len(inputs), err)
	}
	for _, path := range inputs {
		body, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(filepath.Base(path), ".sse")
		lines := mapLines(t, readRecorded(body).chunks)
		golden(t, filepath.Join("streams", name+".parts.ndjson"), strings.Join(lines, "\n")+"\n")
	}
}
