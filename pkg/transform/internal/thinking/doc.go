// Package thinking sets how much a model thinks, and whether its answer includes thoughts. It reads
// the members of a request in any form: efforts in words, token budgets, and the setting of the
// Messages API.
package thinking
