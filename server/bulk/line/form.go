package line

// Form is how the lines of an input, and of what comes of it, are written.
type Form string

// The forms.
const (
	// OpenAI is {custom_id, method, url, body}, and for results {id, custom_id, response, error}.
	OpenAI Form = "openai"
	// Gemini is {key, request} of Gemini's batch mode, and for results {key, response} or {key,
	// error}.
	Gemini Form = "gemini"
)
