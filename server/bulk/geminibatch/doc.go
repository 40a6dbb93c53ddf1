// Package geminibatch answers the lines of bulk jobs with Gemini's batch mode, which takes up to a
// day and costs half. Each range of a job becomes one batch.
//
//	executor, err := geminibatch.New(client, handler, live.New(handler), geminibatch.WithRateCard(ratecard.Google()))
//	if err != nil { ... }
//	err = service.Work(ctx, bulk.Worker{Executors: map[string]bulk.Executor{bulk.ExecutorGeminiBatch: executor}})
//
// The gateway converts the lines to requests for Gemini, and later Gemini's answers to results. It
// uses its forms and its settings, and calls no model. So a batch can use every form of the
// gateway, and the results have that form.
// Lines for embeddings become a batch of embeddings, in which each text is a request. Lines whose
// model neither answers nor embeds are called live.
//
// Ranges should be large, because Gemini runs at most 100 batches of a project at a time. 5,000
// lines and 16 MiB are well within the limits of a file (2 GB).
//
// # Guarantees
//
// Nothing waits in memory. The name of a batch is stored with its range before anything else is
// done with it. Creating a batch is not idempotent, so it is done in one attempt. If a creation
// began and no name was stored, the executor looks for the batch by its display name before it
// makes another one.
//
// Results belong to lines by their keys, in any order. These lines are called live, at the full
// price: lines with a missing, unknown or repeated key, lines with a temporary error, and the rest
// of a batch that failed, expired, was cancelled, or was stuck for longer than [WithPatience]. So a
// job always completes. The cost of answers that no line uses counts for the job, if the answers
// report it.
//
// [Executor.Sweep], which workers call, cancels the batches of jobs that have ended.
package geminibatch
