// Package clientkey knows the keys that clients of a gateway have: who a key is of, which models it
// is for, and how many requests and tokens a minute.
//
// The keys are in a file in YAML or JSON, which has their hashes only:
//
//	keys:
//	- name: alice
//	  hash: sha256:64 hexadecimal digits
//	  models: [gemini-*, gpt-4o]   # the names that clients use; all without it
//	  requests_per_minute: 60          # of any method; no limit without it
//	  tokens_per_minute: 100000
//
// [New] makes a key and [Hash] its hash, which is that of SHA-256 (printf %s KEY | sha256sum): a
// key has to be long and random, for one that can be guessed can be found by its hash.
//
// The limits are those of one process: of two gateways with the same file each allows as much.
package clientkey
