package bulk_test

import (
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/bulk"
)

func TestAJobOfSeveralRangesEndsWithTheResultsInTheOrderOfTheInput(t *testing.T) {
	t.Parallel()
	service := open(t)
	job := submit(t, service, bulk.Submission{Input: strings.NewReader(questions(1003)), RangeLines: 100})
	if job.State != bulk.InProgress || job.Counts.Total != 1003 || job.Endpoint != "/v1/chat/completions" || job.Model != "gemini-3.5-flash" {
		t.Fatalf("submitted: %+v", job)
	}
	work(t, service, live(&answerer{}))
	ended := await(t, service, job.ID, bulk.Completed)
	if c := ended.Counts; c.Completed != 1003 || c.Failed != 0 || c.Repeated != 0 {
		t.Errorf("counts: %+v", c)
	}
	if u := ended.Usage; u.InputTokens != 3009 || u.OutputTokens != 2006 || u.Cost != 501.5 {
		t.Errorf("usage: %+v", u)
	}
	if ended.ErrorFile != "" {
		t.Errorf("there is an error file %q", ended.ErrorFile)
	}
	expectAll(t, results(t, service, job.ID), 0, 1003)
}
