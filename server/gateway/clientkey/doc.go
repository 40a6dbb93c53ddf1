// Package clientkey checks the API keys of a gateway's clients: whose key it is, which models it
// allows, and how many requests and tokens per minute.
//
// The keys are in a YAML or JSON file, which contains only their hashes:
//
//	keys:
//	- name: alice
//	  hash: sha256:64 hexadecimal digits
//	  models: [gemini-*, gpt-4o]   # the names that clients use; all without it
//	  requests_per_minute: 60          # of any method; no limit without it
//	  tokens_per_minute: 100000
//	  concurrent: 8                    # requests at a time
//	  budget: {amount: 5, currency: USD, tokens: 10000000, period: month}
//	- name: finance
//	  hash: sha256:64 hexadecimal digits
//	  admin: true                      # may read the usage of all keys
//
// A budget limits an amount of money, a number of tokens, or both. Its period is day, week, month
// or total.
//
// [New] makes a key. [Hash] returns its SHA-256 hash (printf %s KEY | sha256sum). A key must be
// long and random, because a key that can be guessed can be found by its hash.
//
// Package quota enforces the limits and budgets. They apply to a key's name, so a new key of the
// same name continues its budget.
package clientkey
