package line

// Format is the format of the lines of an input and of its results.
type Format string

// The formats.
const (
	// OpenAI is {custom_id, method, url, body}. Its results are {id, custom_id, response, error}.
	OpenAI Format = "openai"
	// Gemini is {key, request} of Gemini's batch mode. Its results are {key, response} or {key,
	// error}.
	Gemini Format = "gemini"
)
