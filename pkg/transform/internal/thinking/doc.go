// Package thinking sets how much a model thinks, and whether its answer holds the thoughts, by what
// the members of a request of any form say: efforts in words, budgets of tokens, and the setting of
// the Messages API.
package thinking
