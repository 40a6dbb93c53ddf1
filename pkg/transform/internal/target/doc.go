// Package target holds the Gemini request that a form builds from a client's request. It also holds
// the facts that the form needs: the model, what the model accepts, and the service. The packages
// conversation, functions, thinking, answerform and extrabody set its members in the same way for
// all forms.
//
// The origin of a setting is a JSON pointer into the form's request. A form defines it in
// [Origins].
package target
