package bulk_test

import (
	"context"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/server/bulk"
)

// halfway answers the first range, and the first lines of the other ranges. It refuses every second
// one of these lines. Then it gives the remaining lines back and never takes them again.
type halfway struct{ lines int }

func (h halfway) Run(ctx context.Context, item *bulk.Item) error {
	if item.Range == 0 {
		return (&answerer{}).Run(ctx, item)
	}
	if len(item.Lines) <= h.lines { // which another look has left
		return &bulk.LaterError{Park: true}
	}
	for i, l := range item.Lines[:h.lines] {
		result := answered(l)
		if i%2 == 1 {
			result = refused(l)
		}
		if err := item.Write(ctx, result); err != nil {
			return err
		}
	}
	return &bulk.LaterError{Park: true, Reason: "half of it is enough"}
}

func TestProgressCountsTheLinesOfRangesThatAreNotDone(t *testing.T) {
	t.Parallel()
	directory := t.TempDir()
	service := openIn(t, directory)
	job := submit(t, service,
		bulk.Submission{Input: strings.NewReader(questions(30)), RangeLines: 10})
	stop := work(t, service,
		bulk.Worker{Executors: map[string]bulk.Executor{bulk.ExecutorLive: halfway{6}}, Items: 1})
	awaitJob(t, service, job.ID, "parked", func(j *bulk.Job) bool { return j.Parking != nil })
	stop()
	kept, refused := results(t, service, job.ID), failures(t, service, job.ID)
	if len(kept) != 13 || len(refused) != 3 || kept[11].CustomID != "q-12" ||
		refused[1].CustomID != "q-13" {
		t.Errorf("while the job is not done, it has %d results and %d errors: %+v, %+v", len(kept),
			len(refused), kept, refused)
	}
	if err := service.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := openIn(t, directory).Progress(t.Context(), job.ID)
	if err != nil {
		t.Fatal(err)
	}
	if c := again.Counts; c.Total != 30 || c.Completed != 13 || c.Failed != 3 ||
		again.Usage.InputTokens != 3*13 || again.Job.Counts.Completed != 10 {
		t.Errorf("%+v, %+v; of ranges that are done %+v", c, again.Usage, again.Job.Counts)
	}
}
