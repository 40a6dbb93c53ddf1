// Package batches defines the interface between a gateway and a service that stores files and runs
// batches of requests, as in OpenAI's Batch API. Package bulk/batchapi implements it with package
// bulk. A gateway without such a service refuses batch requests.
package batches
