package bulk_test

import (
	"context"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/bulk"
)

// halfway answers the first lines of a range, and then gives the others back for good.
type halfway struct{ lines int }

func (h halfway) Run(ctx context.Context, item *bulk.Item) error {
	if len(item.Lines) <= h.lines { // which another look has left
		return &bulk.LaterError{Park: true}
	}
	for _, l := range item.Lines[:h.lines] {
		if err := item.Write(ctx, answered(l)); err != nil {
			return err
		}
	}
	return &bulk.LaterError{Park: true, Reason: "half of it is enough"}
}

func TestProgressCountsTheLinesOfRangesThatAreNotDone(t *testing.T) {
	t.Parallel()
	directory := t.TempDir()
	service := openIn(t, directory)
	job := submit(t, service, bulk.Submission{Input: strings.NewReader(questions(30)), RangeLines: 10})
	stop := work(t, service, bulk.Worker{Executors: map[string]bulk.Executor{bulk.ExecutorLive: halfway{6}}, Items: 1})
	awaitJob(t, service, job.ID, "parked", func(j *bulk.Job) bool { return j.Parking != nil })
	stop()
	kept := len(results(t, service, job.ID))
	if err := service.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := openIn(t, directory).Progress(t.Context(), job.ID)
	if err != nil {
		t.Fatal(err)
	}
	if kept == 0 || again.Counts.Completed != int64(kept) || again.Usage.InputTokens != int64(3*kept) || again.Job.Counts.Completed != 0 {
		t.Errorf("%d lines are kept; %+v, %+v", kept, again.Counts, again.Usage)
	}
}
