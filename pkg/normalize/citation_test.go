package normalize_test

import "testing"

func TestCitations(t *testing.T) {
	t.Parallel()
	out := normalized(t,
		`{"candidates":[{"content":{"parts":[{"text":"潮は満ちる。"},{"text":"hm","thought":true},{"text":" To be or not."}]},"citationMetadata":{
		"citationSources":[
			{"startIndex":19,"endIndex":32,"uri":"https://example.org/hamlet","license":"mit"},
			{"endIndex":18},
			{"uri":"https://example.org/book"},
			{"startIndex":20,"endIndex":99,"uri":"https://example.org/short"},
			{"startIndex":1,"endIndex":4}],
		"citations":[{"startIndex":19,"endIndex":21,"title":"Hamlet","publicationDate":{"year":1603,"month":7},"license":""}],
		"new":1}}]}`)
	equalJSON(t, asJSON(t, out.Candidates[0].Citations), `[
		{"start":7,"end":20,"uri":"https://example.org/hamlet","license":"mit"},
		{"start":0,"end":6},
		{"start":0,"end":0,"uri":"https://example.org/book"},
		{"start":8,"end":20,"approximated":true,"uri":"https://example.org/short"},
		{"start":0,"end":2,"approximated":true},
		{"start":7,"end":9,"title":"Hamlet","published":{"year":1603,"month":7}}]`)
	if got := out.Candidates[0].Extra.CitationMetadata; got == nil ||
		len(got.CitationSources) != 5 || string(got.Unknown) != `{"new":1}` {
		t.Errorf("the record that the citations are converted from is %+v", got)
	}
}

func TestNoCitations(t *testing.T) {
	t.Parallel()
	out := normalized(t, `{"candidates":[{"citationMetadata":{}},{}]}`)
	if out.Candidates[0].Citations != nil || out.Candidates[1].Citations != nil {
		t.Errorf("there are citations: %+v", out.Candidates)
	}
}
