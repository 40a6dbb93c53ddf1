// Package target has the Gemini request while a form builds it. It also has what decides how to
// build it: the model, what the model accepts, and the service. The packages conversation,
// functions, thinking, answerform and extrabody set its members in the same way for all forms.
//
// The origin of a setting is a JSON pointer into the form's request. A form defines it in
// [Origins].
package target
