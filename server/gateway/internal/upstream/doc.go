// Package upstream selects the account and the model that answer a request. It pauses exhausted
// quotas and refused keys, and falls back to the next model of a chain, each model once.
//
// Google's quota belongs to the project, not to the key, and is counted for each model. So the
// package keeps one [bucket] for each model of a project:
//
//	         429            over            success
//	open ──────────► rests ──────► probed ──────────► open
//	                   ▲              │ 429
//	                   └──────────────┘
//
// A refusal (401, 403, or 400 with API_KEY_INVALID) pauses what the server refuses, by the table of
// [scopes]. That is the account if the credential or its project is the cause, and otherwise one
// method of one model for the account. A refusal in unknown words may be about the request itself.
// It pauses the method only if another account can answer. Any number of refused models does not
// pause the account, because clients choose the models.
package upstream
