// Package geminibatch answers the lines of bulk jobs by Gemini's batch mode, which takes up to a
// day and costs half. Each range of a job is a batch.
//
//	executor, err := geminibatch.New(client, handler, live.New(handler), geminibatch.WithRateCard(ratecard.Google()))
//	if err != nil { ... }
//	err = service.Work(ctx, bulk.Worker{Executors: map[string]bulk.Executor{bulk.ExecutorGeminiBatch: executor}})
//
// Lines are converted as the gateway does: it is asked what it would send to Gemini, and later what
// it makes of Gemini's answer. So each form that the gateway has can be in a batch, and results are
// in its words. Lines for embeddings are a batch of embeddings, in which each text is a request.
// Lines of which the model is neither to answer nor to embed are asked live.
//
// Ranges should be large: Gemini runs 100 batches of a project at a time. 5,000 lines and 16 MiB
// are well within the limits of a file (2 GB).
//
// # What holds
//
// Nothing waits in memory. The name of a batch is kept with its range before anything else is done
// with it. Creating a batch is not idempotent, and so made in one attempt: who finds that it was
// begun, and no name, looks for the batch by its display name before making another.
//
// Results belong to lines by their keys, in whichever order they come. A key that is missing,
// unknown or there twice, an error that may pass, and what is left of a batch that failed, expired,
// was cancelled, or was stuck for longer than [WithPatience], are asked live, at the full price: a
// job is done in any case. What the answers that no line has have cost counts for the job, as far
// as they tell.
//
// Batches of jobs that have ended are cancelled by [Executor.Sweep], which workers call.
package geminibatch
