// Package callid knows which ids of calls this module has made, as Gemini often sends none.
package callid

// Made is how an id begins that was made for a call without one. Such an id is never sent to Gemini.
const Made = "call_gemini_"
