package docreference

// advice says what to do about a lost member.
type advice struct {
	// in and member are regular expressions for the direction and the member. The first advice that
	// matches both counts.
	in, member string
	text       string
}

// advices are ordered from the special to the general.
var advices = []advice{
	{".*", `/any member that the API does not describe`, "Check the spelling. Leave the member out."},
	// Requests of chat_completions.
	{"chat-completions-requests", `/audio/format`, "Convert the audio in the client: Gemini sends 16-bit PCM."},
	{"chat-completions-requests", `/audio/voice`, "Use the name of one of Gemini's voices."},
	{"chat-completions-requests", `/reasoning/effort`, "Send one of the members, with a value of the API."},
	{"chat-completions-requests", `/(enable_thinking|thinking_budget|max_tokens|random_seed)|/messages/\*/reasoning`, "Send only the other member."},
	{"chat-completions-requests", `/messages/.*/(prompt_cache_breakpoint|index)`, "Leave it out."},
	{"chat-completions-requests", `/extra_body/google/stream_function_call_arguments`, "Use Vertex AI, or leave it out."},
	{"chat-completions-requests", `/(frequency|presence)_penalty|/repetition_penalty`, "Leave it out, or use Vertex AI with a model that accepts penalties."},
	{"chat-completions-requests", `/n`, "Send several requests."},
	{"chat-completions-requests", `/(top_)?logprobs|/logit_bias`, "Leave it out. A program that needs log probabilities needs another model."},
	{"chat-completions-requests", `/(metadata|user|safety_identifier)`, "Keep it in your program, for example with the request id. Vertex AI takes labels in `extra_body.google.labels`."},
	{"chat-completions-requests", `/store`, "Set `extra_body.google.store` if Google should store the call."},
	{"chat-completions-requests", `/service_tier`, "Use a tier that Gemini has: `default`, `flex` or `priority`, on the Gemini API."},
	{"chat-completions-requests", `/verbosity`, "Say it in the system message, for example \"Answer briefly\"."},
	{"chat-completions-requests", `/moderation`, "Set `extra_body.google.safety_settings`."},
	{"chat-completions-requests", `/parallel_tool_calls`, "Handle several calls in one answer."},
	{"chat-completions-requests", `/(reasoning_effort|thinking/type)`, "Use one of the values of the API."},
	{"chat-completions-requests", `/tools/\*|/tool_choice.*`, "Declare a function for it. Its parameters are a JSON Schema."},
	{"chat-completions-requests", `/web_search_options/.*`, "Name the place in the prompt."},
	{"chat-completions-requests", `/messages/\*/name`, "Write the name into the content."},
	{"chat-completions-requests", `/messages/\*/content/\*/file/filename`, "Write the name into the prompt, or use Vertex AI."},
	{"chat-completions-requests", `/messages/\*/content/\*/image_url/detail`, "Use `low`, `high` or `auto`."},
	{"chat-completions-requests", `.*(thought_?[sS]ignature|parts/\*|/signature)`, "Send messages of the model back as you got them."},
	{"chat-completions-requests", `/messages/.*`, "Send it with a role and a type of content for which Gemini has this member."},
	{"chat-completions-requests", `/(prediction|provider)`, "Leave it out."},
	// Requests of the Responses API.
	{"responses-requests", `/(top_logprobs|include|include/\*)`, "Leave it out."},
	{"responses-requests", `/input/\*`, "Send the results of the item as a message, or leave the item out."},
	{"responses-requests", `/input/\*/content/\*/detail`, "Use `low`, `high` or `auto`."},
	{"responses-requests", `/input/\*/content/\*/filename`, "Write the name into the prompt, or use Vertex AI."},
	{"responses-requests", `/input/.*`, "Use a part that the item may have."},
	{"responses-requests", `/max_tool_calls`, "Count the calls in your program."},
	{"responses-requests", `/parallel_tool_calls`, "Handle several calls in one answer."},
	{"responses-requests", `/reasoning/effort`, "Use one of the values of the API."},
	{"responses-requests", `/service_tier`, "Use a tier that Gemini has: `default`, `flex` or `priority`, on the Gemini API."},
	{"responses-requests", `/store`, "Start the gateway with `response_store`."},
	{"responses-requests", `/text/verbosity`, "Say it in `instructions`, for example \"Answer briefly\"."},
	{"responses-requests", `/tools/\*|/tool_choice|/tools/\*/allowed_tools`, "Declare a function for it, or use another model."},
	{"responses-requests", `/tool_choice/(mode|tools/\*)`, "Name only functions in `tool_choice`."},
	{"responses-requests", `/tools/\*/(search_context_size|user_location)`, "Name the place in the prompt."},
	{"responses-requests", `/truncation`, "Shorten the conversation in your program."},
	// Requests of Messages.
	{"messages-requests", `/tools/\*/(allowed|blocked)_domains|/tools/\*/user_location`, "Name the sites or the place in the prompt."},
	{"messages-requests", `/tools/\*/input_examples`, "Write the examples into the description of the tool."},
	{"messages-requests", `/tools/\*/max_uses`, "Say in the prompt how much the model should search."},
	{"messages-requests", `/tools/\*`, "Declare a tool with `input_schema`."},
	{"messages-requests", `/tools/.*`, "Leave it out."},
	{"messages-requests", `/mcp_servers/.*`, "Start an MCP server that has only the tools that you need."},
	{"messages-requests", `/tool_choice/disable_parallel_tool_use`, "Handle several calls in one answer."},
	{"messages-requests", `/(service_tier|speed)`, "Send only `service_tier`, with a tier that Gemini has, on the Gemini API."},
	{"messages-requests", `/output_config/effort`, "Send it without `thinking`, with a value of the API."},
	{"messages-requests", `/(thinking/(type|display)|messages/\*/clear_at)`, "Use one of the values of the API."},
	{"messages-requests", `/thinking/budget_tokens`, "Send only the other member."},
	{"messages-requests", `/messages/\*/output_config`, "Set it for the whole request."},
	{"messages-requests", `/output_config/task_budget`, "Count the tokens in your program."},
	{"messages-requests", `/(compaction|context_management/.*)`, "Shorten the conversation in your program."},
	{"messages-requests", `/fallbacks`, "Set `fallback` in the gateway."},
	{"messages-requests", `/inference_geo`, "Use Vertex AI with the setting `location`."},
	{"messages-requests", `/container`, "Leave it out. Gemini's code execution has its own container."},
	{"messages-requests", `/messages/\*/content/\*/citations`, "Ask for sources in the prompt."},
	{"messages-requests", `/(messages|system)/.*`, "Send the content as text."},
	// Answers.
	{"messages-answers", `/candidates/\*/(groundingMetadata|groundingAttributions|citationMetadata|urlContextMetadata)|/candidates/\*/content/parts/\*/(toolCall|toolResponse|executableCode|codeExecutionResult)`,
		"Declare Anthropic's web search or code execution as a tool, or use chat_completions, which has them in `extra_content`."},
	{"messages-answers", `/usageMetadata/.*`, "Read it from the gateway's log or metrics, or use chat_completions."},
	{"messages-answers", `/candidates/\*/index`, "Send several requests."},
	{"messages-answers", `/.*`, "Use chat_completions, which has it in `extra_content`, or Google's API."},
	{"ai-sdk-answers", `/candidates/\*`, "Ask for one candidate."},
	// Interactions.
	{"interactions-requests", `/(environment|agent_config|agent|webhook_config).*`, "Call Google's API: agents run only there. The gateway does it for the names of agents."},
	{"interactions-requests", `/store`, "Start the gateway with `response_store`."},
	{"interactions-requests", `/(labels|service_tier)`, "Use the service that has it, or leave it out."},
	{"interactions-requests", `/response_format.*`, "Leave it out, or use Vertex AI."},
	{"interactions-requests", `/generation_config/.*`, "Use one of the values of the API, or leave it out."},
	{"interactions-requests", `/tools/.*`, "Declare a function for it, or use a tool that Gemini has."},
	{"interactions-requests", `/input.*`, "Send the content as text, image, audio, video or document."},
	{"interactions-requests", `/.*`, "Leave it out."},
	{"bridge-requests", `/generationConfig/thinkingConfig/thinkingBudget`, "Set `thinkingLevel`."},
	{"bridge-requests", `/generationConfig/(candidateCount|logprobs|responseLogprobs|presencePenalty|frequencyPenalty)`, "Use generateContent with a model that accepts it."},
	{"bridge-requests", `/(labels|safetySettings).*|/tools/\*/enterpriseWebSearch|/generationConfig/responseFormat/video/delivery`, "Use Vertex AI."},
	{"bridge-requests", `/tools/.*|/toolConfig/.*`, "Leave it out, or use generateContent."},
	{"bridge-requests", `/.*`, "Leave it out, or use generateContent."},
	{"bridge-answers", `/steps/.*`, "Keep the extension, or read the interaction itself."},
	{"bridge-answers", `/.*`, "Keep the extension, or read the interaction itself."},
	// The way back.
	{"reverse-requests", `/generationConfig/topK`, "Use topP. A server that has `top_k` gets it with `extensions`."},
	{"reverse-requests", `/generationConfig/(responseSchema|responseMimeType|responseFormat|_responseJsonSchema)`, "Use `responseJsonSchema` with an object, and `application/json`."},
	{"reverse-requests", `/(labels|safetySettings|store|serviceTier|modelArmorConfig|outputConfig)`, "Set it at the server, or leave it out."},
	{"reverse-requests", `/tools/\*/functionDeclarations/.*`, "Leave it out, or write it into the description of the function."},
	{"reverse-requests", `/tool.*`, "Declare a function for it: only Google's servers run Google's tools."},
	{"reverse-requests", `/systemInstruction/.*`, "Write the instruction as text."},
	{"reverse-requests", `/contents/.*`, "Send the content as text, image, audio or file."},
	{"reverse-requests", `/.*`, "Leave it out, or use a Gemini model."},
	{"reverse-answers", `/usage/.*`, "Read it at the server."},
	{"reverse-answers", `/.*extra_content/google/\*`, "Nothing: the member has no meaning at this place."},
	{"reverse-answers", `/.*`, "Nothing, or call the server by chat_completions if your program needs it."},
}

// lossesIntroduction is the page that leads to the others. The verb is the table.
const lossesIntroduction = `# What a conversion loses

` + "```sh" + `
curl -i http://127.0.0.1:8080/v1/chat/completions -H 'Content-Type: application/json' \
  -d '{"model": "gemini-3.6-flash", "user": "u1", "messages": [{"role": "user", "content": "hello"}]}'
` + "```" + `

The answer has the header ` + "`x-gemwire-losses: 1`" + `, because Gemini has no field ` + "`user`" + `. A conversion keeps each value,
or reports it. The pages in this table list every field that a conversion reports, with the reason and what to do.

Reports call a field of a JSON object a *member*.

%s
## See what a request lost

| you use | you see losses |
|---|---|
| the gateway | as a number in the header ` + "[`x-gemwire-losses`](headers.md#x-gemwire-losses)" + `, as a list with ` + "`x-gemwire-report: true`" + `, and in the [inspector](../inspector.md) |
| the command | as a number on standard error, and as a list with ` + "`gemwire convert --report FILE`" + ` |
| Go | in the ` + "`report.Report`" + ` that each converter returns |

` + "`x-gemwire-strict: true`" + `, ` + "`--strict`" + ` and ` + "`report.Strict()`" + ` make a loss an error.

## How these pages are made

The tests of each conversion have payloads that together have every field of the API. ` + "`go generate ./tools/docreference`" + `
converts each payload, then changes one value at a time and converts it again. These pages list all entries of the
reports. Requests are converted for gemini-3.6-flash, gemini-2.5-flash and gemini-3.1-flash-image, each on the Gemini
API and on Vertex AI. If a reason ends in names of models, it does not apply to gemini-3.6-flash. Reports for other
models can have further entries.
`
