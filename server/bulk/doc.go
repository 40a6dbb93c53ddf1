// Package bulk runs jobs of many requests, which outlive the process that runs them. It stands on
// NATS JetStream: embedded in the process with a directory, or one server or a cluster of them.
//
//	service, err := bulk.Open(ctx, bulk.WithDirectory("/var/lib/gemwire/bulk"))
//	if err != nil { ... }
//	defer service.Close()
//	job, err := service.Submit(ctx, bulk.Submission{Input: file, Model: "gemini-3.6-flash"})
//	go service.Work(ctx, bulk.Worker{Executors: map[string]bulk.Executor{bulk.ExecutorLive: live}})
//	for progress, err := range service.Watch(ctx, job.ID) { ... }
//
// # A job
//
// An input is read once, as a stream. All of its lines are checked before any is sent; where one is
// wrong the job has failed, and its problems name each. The lines are divided into ranges of some
// hundred lines, and a range is one item of work: a worker takes it, has an [Executor] answer its
// lines, and writes the results. When all ranges are done, the results become two files, one of
// answers and one of errors, both in the order of the input.
//
//	                  ┌─► failed
//	validating ───────┼─► in_progress ──► finalizing ──► completed
//	                  │        │  └────────────► expired
//	                  └────────┴─► cancelling ─► cancelled
//
// # What is promised
//
// Each line has exactly one result, whatever dies and whenever: results of a range are a log, and
// whoever adds to it says which number the entry has. Of two workers with the same range one is
// refused, and lets go. A call may be made twice, as nobody can know whether one was answered when
// its worker died; [Counts] has how many may have been repeated at most, and what they cost.
//
// What a method has written is on the disk when it returns.
package bulk
