// Package upstream decides by which account and which model a request is answered: quotas that are
// used up rest, keys that were refused are left alone, and where nothing helps the next model of a
// chain is asked, once.
//
// Quota is the project's, not the key's, and is counted for each model. So a rest is that of a
// project's model, of which the package keeps one [bucket] each:
//
//	         429            over            success
//	open ──────────► rests ──────► probed ──────────► open
//	                   ▲              │ 429
//	                   └──────────────┘
//
// A refusal (401, 403, or 400 with API_KEY_INVALID) rests what the server refuses, by the table of
// [scopes]: the account where the credential or its project is at fault, otherwise the account for
// one method of one model. A refusal in unknown words rests that only where another account can
// answer, as it may be about the request. No number of refused models rests the account: clients
// choose the models.
package upstream
