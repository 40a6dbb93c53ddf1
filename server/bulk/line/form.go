package line

// Form is the format of the lines of an input and of its results.
type Form string

// The forms.
const (
	// OpenAI is {custom_id, method, url, body}. Its results are {id, custom_id, response, error}.
	OpenAI Form = "openai"
	// Gemini is {key, request} of Gemini's batch mode. Its results are {key, response} or {key,
	// error}.
	Gemini Form = "gemini"
)
