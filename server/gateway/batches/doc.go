// Package batches says what a gateway needs of whoever keeps files and answers batches of requests,
// as OpenAI's Batch API has them. Package bulk/batchapi has it on package bulk; a gateway without
// one answers that it has no batches.
package batches
