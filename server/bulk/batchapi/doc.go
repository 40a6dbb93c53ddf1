// Package batchapi serves OpenAI's Batch API in a gateway with bulk jobs. Files are stored in a
// [bulk.Service], and a batch is a job of it.
//
//	jobs, err := bulk.Open(ctx, bulk.WithDirectory("/var/lib/gemwire/bulk"))
//	...
//	handler, err := gateway.New(gateway.WithBatches(batchapi.New(jobs)))
//	...
//	go jobs.Work(ctx, worker)
//
// A [bulk.Worker], in this process or in others, answers the lines.
package batchapi
