// Package search finds exchanges by a small language. A query is a list of words, "phrases" and
// filters, and an exchange matches if it matches all of them:
//
//	client:team-search status:failed lost:/logit_bias model:gemini-3.6 >2s has:image since:10m
//
// A term that begins with "-" must not match. Words and phrases are looked for in the texts of an
// exchange: bodies, headers, losses and errors. The search ignores letter case and the amount of
// white space. In JSON it sees texts without their escapes, also JSON inside a JSON string. Letters
// and digits that are written as \u0041 are not found, because no known program writes them so.
//
//	query, err := search.Parse("status:failed timeout", now)
//	if err != nil { ... }           // *search.Error, with the position
//	query.Matches(&exchange)
package search
