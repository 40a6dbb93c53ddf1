// Package bulk runs jobs of many requests that survive restarts of the process. It stores them in
// NATS JetStream: embedded in the process with a directory, or on one server or a cluster.
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
// An input is read once, as a stream. All lines are checked before any is sent. If a line is
// invalid the job fails, and its problems name each invalid line. The lines are divided into ranges
// of some hundred lines, and a range is one item of work. A worker takes a range, an [Executor]
// answers its lines, and the worker writes the results. When all ranges are done, the results
// become two files, one of answers and one of errors, both in the order of the input.
//
//	                  ┌─► failed
//	validating ───────┼─► in_progress ──► finalizing ──► completed
//	                  │        │  └────────────► expired
//	                  └────────┴─► cancelling ─► cancelled
//
// # Guarantees
//
// Each line has exactly one result, even if processes die at any time. The results of a range are a
// log, and each new entry must have the next number. If two workers have the same range, one of
// them is refused and stops. A call may be made twice, because it is unknown whether a call was
// answered when its worker died. [Counts] has an upper bound of the repeated calls and their cost.
//
// What a method has written is on the disk when the method returns.
package bulk
