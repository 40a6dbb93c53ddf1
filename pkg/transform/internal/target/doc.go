// Package target has the request for Gemini while a form makes it, with what decides how it is
// made: the model, what the model takes, and the service that it is called at. Rooms beside this
// one set its members in the way that all forms share: conversation, functions, thinking,
// answerform, extrabody.
//
// What a setting came from is a JSON pointer into the form's request. A form says it in [Origins].
package target
