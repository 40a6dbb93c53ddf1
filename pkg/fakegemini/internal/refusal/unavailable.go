package refusal

import (
	"strconv"

	"github.com/gemwire/gemwire/gen/geminiapi"
)

// Internal is the answer if the server itself fails.
func Internal() *Refusal {
	return New(geminiapi.ErrorStatusInternal,
		"An internal error has occurred. Please retry or report in https://developers.generativeai.google/guide/troubleshooting")
}

// Exhausted is the bare answer to too many requests, without a limit or a wait.
func Exhausted() *Refusal {
	return New(geminiapi.ErrorStatusResourceExhausted,
		"Resource has been exhausted (e.g. check quota).")
}

// TooManyTokens is the answer to a prompt that exceeds the model's input limit.
func TooManyTokens(count, limit int) *Refusal {
	return New(geminiapi.ErrorStatusInvalidArgument, "The input token count ("+strconv.Itoa(count)+
		") exceeds the maximum number of tokens allowed ("+strconv.Itoa(limit)+").")
}
