package exchangetest

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"strings"
	"time"
)

const ms = time.Millisecond

// HostileText is a model's answer that tries to run script in the page that shows it.
const HostileText = `<img src=x onerror="window.owned=1"><script>window.owned=1</script>[click](javascript:window.owned=1)`

// usage is the usage member of an answer, with consistent counts.
func usage(prompt, candidates, thoughts int) string {
	return fmt.Sprintf(`"usageMetadata":{"promptTokenCount":%d,"candidatesTokenCount":%d,"thoughtsTokenCount":%d,"totalTokenCount":%d},`+
		`"modelVersion":"gemini-3.6-flash","responseId":"kx2ZaMmSHoPWz7IPu5"`, prompt, candidates,
		thoughts, prompt+candidates+thoughts)
}

const signature = "CpYBAVSoXO7m4Kq0Tf2hVdYk1uQeR8LzN3cWbJxPgAo5yUiHsDnMtEwFvGrZlXaQkB6jC9pO"

// Lossy is a request with members that Gemini does not have, and an answer that loses nothing.
func Lossy() *Scene {
	return &Scene{
		Name: "lossy", Client: "team-search", UserAgent: "OpenAI/JS 6.49.0", Model: "gpt-4o",
		Upstream: "gemini-3.6-flash", Price: 1.5e-7,
		Request: `{
  "model": "MODEL",
  "messages": [
    {"role": "system", "content": "You plan train journeys. Answer in one sentence."},
    {"role": "user", "name": "ada", "content": [
      {"type": "text", "text": "When does the last train from Porto to Faro leave on Sunday?"}
    ]}
  ],
  "tools": [{"type": "function", "function": {
    "name": "find_trains",
    "description": "Trains between two stations.",
    "strict": true,
    "parameters": {"type": "object", "properties": {"from": {"type": "string"}, "to": {"type": "string"}}, "required": ["from", "to"]}
  }}],
  "tool_choice": "auto",
  "parallel_tool_calls": false,
  "logit_bias": {"50256": -100},
  "temperature": 0.20,
  "max_completion_tokens": 512,
  "reasoning_effort": "low",
  "user": "customer-4711"
}`,
		Tries: []Try{{After: 1240 * ms, Body: `{"candidates":[{"content":{"role":"model","parts":[
  {"functionCall":{"name":"find_trains","args":{"from":"Porto","to":"Faro"},"id":"q7x2hd0m"},"thoughtSignature":"` + signature + `"}
]},"finishReason":"STOP","index":0}],` + usage(212, 24, 118) + `}`}},
	}
}

// ToolResult is the second turn of a tool loop. The client sends the first turn's signature back.
func ToolResult() *Scene {
	return &Scene{
		Name: "tool result", Client: "team-search", UserAgent: "OpenAI/JS 6.49.0", Model: "gpt-4o",
		Upstream: "gemini-3.6-flash", Price: 1.5e-7,
		Request: `{"model":"MODEL","messages":[
  {"role":"user","content":"When does the last train from Porto to Faro leave on Sunday?"},
  {"role":"assistant","content":null,"tool_calls":[
    {"id":"q7x2hd0m","type":"function","function":{"name":"find_trains","arguments":"{\"from\":\"Porto\",\"to\":\"Faro\"}"},
     "extra_content":{"google":{"thought_signature":"` + signature + `"}}}]},
  {"role":"tool","tool_call_id":"q7x2hd0m","content":"{\"last\":\"20:52\",\"change\":\"Lisboa Oriente\"}"}],
 "tools":[{"type":"function","function":{"name":"find_trains","parameters":{"type":"object","properties":{"from":{"type":"string"},"to":{"type":"string"}}}}}]}`,
		Tries: []Try{{After: 690 * ms, Body: `{"candidates":[{"content":{"role":"model","parts":[
  {"text":"The last train leaves Porto at 20:52, with a change at Lisboa Oriente."}]},"finishReason":"STOP","index":0}],` + usage(287, 21, 0) + `}`}},
	}
}

// Streamed is an answer in chunks: thoughts, text, and a signature at the end.
func Streamed() *Scene {
	text := []string{"Take the bus ", "at 7:55 from ", "Campo 24 de Agosto: ",
		"it arrives at 8:50, ", "twenty minutes ", "before the next ferry."}
	chunks := []string{
		// a count that is corrected downwards later
		`{"candidates":[{"content":{"role":"model","parts":[{"text":"**Reading the timetable**\n\nThe 7:40 ferry is full on Fridays, ","thought":true}]},"index":0}],` +
			usage(91, 0, 61) + `}`,
		`{"candidates":[{"content":{"role":"model","parts":[{"text":"so I compare the 8:20 with the bus over the bridge.","thought":true}]},"index":0}],` +
			usage(83, 0, 148) + `}`,
	}
	for n, piece := range text {
		chunks = append(chunks,
			fmt.Sprintf(`{"candidates":[{"content":{"role":"model","parts":[{"text":%q}]},"index":0}],%s}`,
				piece, usage(83, 4*n+4, 148)))
	}
	chunks = append(chunks,
		`{"candidates":[{"content":{"role":"model","parts":[{"text":"","thoughtSignature":"`+
			signature+
			`"}]},"finishReason":"STOP","index":0,"safetyRatings":[{"category":"HARM_CATEGORY_HARASSMENT","probability":"NEGLIGIBLE"}]}],`+
			usage(83, 24, 148)+`}`)
	return &Scene{
		Name: "streamed", Client: "travel-app", UserAgent: "ai-sdk/openai-compatible 2.0.31",
		Model: "gemini-3.6-flash", Upstream: "gemini-3.6-flash", Price: 1.5e-7,
		Request: `{"model":"MODEL","stream":true,"stream_options":{"include_usage":true},"messages":[{"role":"user","content":"How do I get to the island before nine?"}]}`,
		Tries:   []Try{{After: 830 * ms, Each: 140 * ms, Chunks: chunks}},
	}
}

// RateLimited is refused once for its quota, and then answered.
func RateLimited() *Scene {
	return &Scene{
		Name: "rate limited", Client: "nightly-report", UserAgent: "openai-go/3.94.0",
		Model: "gemini-2.5-pro", Upstream: "gemini-2.5-pro", Price: 6e-7,
		Request: `{"model":"MODEL","messages":[{"role":"user","content":"Summarise the week in three sentences."}],"seed":7,"service_tier":"flex"}`,
		Tries: []Try{
			{After: 120 * ms, Status: http.StatusTooManyRequests, Retry: 2 * time.Second,
				Body: quotaError("GenerateRequestsPerMinutePerProjectPerModel", "2s")},
			{After: 2100 * ms,
				Body: `{"candidates":[{"content":{"role":"model","parts":[{"text":"It was quiet. Two trains were late. Nobody complained."}]},"finishReason":"STOP","index":0}],` +
					usage(940, 16, 301) + `}`},
		},
	}
}

// OutOfQuota is refused for a daily quota.
func OutOfQuota() *Scene {
	return &Scene{
		Name: "out of quota", Client: "nightly-report", UserAgent: "openai-go/3.94.0",
		Model: "gemini-2.5-pro", Upstream: "gemini-2.5-pro",
		Request: `{"model":"MODEL","messages":[{"role":"user","content":"Summarise the month."}]}`,
		Tries: []Try{{After: 96 * ms, Status: http.StatusTooManyRequests,
			Body: quotaError("GenerateRequestsPerDayPerProjectPerModel-FreeTier", "31s")}},
	}
}

func quotaError(quota, wait string) string {
	return `{"error":{"code":429,"message":"The quota for this model is used up.","status":"RESOURCE_EXHAUSTED","details":[
  {"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":[{"quotaId":"` + quota + `","quotaValue":"20"}]},
  {"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"` + wait + `"}]}}`
}

// Refused is an invalid request: a call without its result.
func Refused() *Scene {
	return &Scene{
		Name: "refused", Client: "team-search", UserAgent: "langchain-openai/1.4.0",
		Model: "gpt-4o-mini", Upstream: "gemini-3.6-flash",
		Request: `{"model":"MODEL","messages":[{"role":"user","content":"And now?"},
  {"role":"assistant","tool_calls":[{"id":"call_1","type":"function","function":{"name":"get_time","arguments":"{}"}}]},
  {"role":"user","content":"Well?"}]}`,
	}
}

// Hostile is an answer with markup and script in its text and in its model name.
func Hostile() *Scene {
	return &Scene{
		Name: "hostile", Client: "<b>bold</b>", UserAgent: `"><script>window.owned=1</script>`,
		Model: "<img src=x onerror=window.owned=1>", Upstream: "gemini-3.6-flash",
		Request: `{"model":"MODEL","messages":[{"role":"user","content":"Write a page."}],"<script>window.owned=1</script>":1}`,
		Tries: []Try{{After: 300 * ms, Body: fmt.Sprintf(
			`{"candidates":[{"content":{"role":"model","parts":[{"text":%q}]},"finishReason":"STOP","index":0,"<svg onload=window.owned=1>":true}],%s}`,
			HostileText, usage(9, 30, 0))}},
	}
}

// Picture is a request with a base64 image that is too long to record.
func Picture() *Scene {
	picture := base64.StdEncoding.EncodeToString([]byte("\x89PNG\r\n\x1a\n" +
		strings.Repeat("not really a picture ", 4000)))
	return &Scene{
		Name: "picture", Client: "travel-app", UserAgent: "openai-python/3.2.0",
		Model: "gemini-3.6-flash", Upstream: "gemini-3.6-flash", Price: 1.5e-7,
		Request: `{"model":"MODEL","messages":[{"role":"user","content":[{"type":"text","text":"Which station is this?"},
  {"type":"image_url","image_url":{"url":"data:image/png;base64,` + picture + `","detail":"high"}}]}]}`,
		Tries: []Try{{After: 1830 * ms,
			Body: `{"candidates":[{"content":{"role":"model","parts":[{"text":"São Bento, by the tiles."}]},"finishReason":"STOP","index":0}],` +
				usage(1302, 9, 44) + `}`}},
	}
}

// Left is a stream whose client disconnects.
func Left() *Scene {
	scene := Streamed()
	scene.Name, scene.Leaves = "left", true
	scene.Tries[0].Chunks = scene.Tries[0].Chunks[:4]
	return scene
}

// Running is a stream that has not ended.
func Running() *Scene {
	scene := Streamed()
	scene.Name, scene.Hangs = "running", true
	scene.Tries[0].Chunks = scene.Tries[0].Chunks[:3]
	return scene
}

// Broken is a stream that ends with an error object.
func Broken() *Scene {
	scene := Streamed()
	scene.Name = "broken"
	scene.Tries[0].Chunks = append(scene.Tries[0].Chunks[:5:5],
		`{"error":{"code":503,"message":"The model is overloaded. Please try again later.","status":"UNAVAILABLE"}}`)
	return scene
}

// All returns one scene of each kind.
func All() []*Scene {
	return []*Scene{
		Lossy(), ToolResult(), Streamed(), RateLimited(), OutOfQuota(), Refused(), Hostile(),
		Picture(), Left(), Broken(), Running(),
	}
}
