// Package upstream decides by which account and which model a request is answered: quotas that are used up rest, keys
// that were refused are left alone, and where nothing helps the next model of a chain is asked, once.
//
// Quota is the project's, not the key's, and is counted for each model. So a rest is that of a project's model, of
// which the package keeps one [bucket] each:
//
//	         429            over            success
//	open ──────────► rests ──────► probed ──────────► open
//	                   ▲              │ 429
//	                   └──────────────┘
package upstream
