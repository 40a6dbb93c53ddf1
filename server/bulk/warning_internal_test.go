package bulk

import (
	"log/slog"
	"testing"
	"time"
)

// The log names data that stays in the store and tasks that wait. A success is not in it.
func TestFailedRemovalsAndTasksAreWarnings(t *testing.T) {
	t.Parallel()
	s := openSwept(t)
	logged := &warnings{Handler: slog.DiscardHandler}
	s.settings.logger = slog.New(logged)
	s.submit("ended", Submission{})
	s.cancel("ended")
	job := s.record("ended")
	outputs := [4]*output{}
	for i := range outputs { // each with a file of errors, and with failed lines
		outputs[i] = s.newOutput(job)
	}
	generation := job.Generation
	lease := &leaseRecord{Holder: "me", Until: time.Now()}
	if err := s.jobs.Create(t.Context(), "cut", &jobRecord{Job: Job{ID: "cut",
		State: Validating}, Input: inputRecord{Lease: lease}}); err != nil {
		t.Fatal(err)
	}
	cut := s.record("cut")
	expect := func(what string, count int, do func()) {
		t.Helper()
		logged.count = 0
		if do(); logged.count != count {
			t.Errorf("%s: %d warnings, want %d", what, logged.count, count)
		}
	}
	steps := func(when string, drop, giveUp *output, count int) {
		t.Helper()
		expect("files are dropped "+when, 2*count, drop.drop)
		expect("files are given up "+when, count, giveUp.giveUp)
		expect("no room is given back "+when, 0, drop.giveRoomBack)
		drop.room = 1
		expect("room is given back "+when, count, drop.giveRoomBack)
		expect("a lease ends "+when, count, func() { s.endLease(cut) })
		expect("a job without a lease ends none "+when, 0, func() { s.endLease(job) })
		expect("a task is queued "+when, count, func() {
			s.wantTask(t.Context(), taskFinish, "ended")
		})
		expect("lines are forgotten "+when, count, func() { s.forgetLines("ended", "other") })
	}
	steps("in an open store", outputs[0], outputs[1], 0)
	if found := s.record("cut"); !found.Input.Lease.Until.IsZero() {
		t.Errorf("the lease has not ended: %+v", found.Input.Lease)
	}
	expect("lines of a job that has begun", 0, func() { s.forgetLines("ended", generation) })
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	steps("in a closed store", outputs[2], outputs[3], 1)
}
