// Package batchapi has a gateway serve OpenAI's Batch API by bulk jobs: files are those of a
// [bulk.Service], and a batch is a job of one.
//
//	jobs, err := bulk.Open(ctx, bulk.WithDirectory("/var/lib/gemwire/bulk"))
//	...
//	handler, err := gateway.New(gateway.WithBatches(batchapi.New(jobs)))
//	...
//	go jobs.Work(ctx, worker)
//
// Who answers the lines is not said here but by a [bulk.Worker], in this process or in others.
package batchapi
