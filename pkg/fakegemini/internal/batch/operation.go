package batch

import (
	"strconv"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/framing"
	"github.com/go-json-experiment/json/jsontext"
)

// typePackage is the prefix of the types of the messages in an operation, as recorded. The message
// of the results has the name of the batch's message with Output after it.
const typePackage = "type.googleapis.com/google.ai.generativelanguage.v1main."

// The errors of operations that did not succeed, by the rules of google.longrunning.
const (
	cancelled = `{"code":1,"message":"The operation was cancelled."}`
	failed    = `{"code":13,"message":"The batch failed."}`
	expired   = `{"code":4,"message":"The batch expired."}`
)

// Operation describes a batch as an operation of the server, with the members in their recorded
// order.
func (b *Batch) Operation(status Status) jsontext.Value {
	name := framing.Text("batches/" + b.ID)
	output := b.output(status)
	var done, response, failure jsontext.Value
	if status.IsDone() {
		done = jsontext.Value("true")
	}
	switch status.State {
	case geminiapi.BatchStateSucceeded:
		response = framing.Object(append([]framing.Member{{Name: "@type",
			Value: framing.Text(typePackage + b.Message + "Output")}}, output...))
	case geminiapi.BatchStateCancelled:
		failure = jsontext.Value(cancelled)
	case geminiapi.BatchStateFailed:
		failure = jsontext.Value(failed)
	case geminiapi.BatchStateExpired:
		failure = jsontext.Value(expired)
	}
	return framing.Object([]framing.Member{
		{Name: "name", Value: name},
		{Name: "metadata", Value: b.metadata(name, status, output)},
		{Name: "done", Value: done},
		{Name: "error", Value: failure},
		{Name: "response", Value: response},
	})
}

func (b *Batch) metadata(name jsontext.Value, status Status,
	output []framing.Member) jsontext.Value {
	var result, ended, displayName jsontext.Value
	if status.State == geminiapi.BatchStateSucceeded ||
		status.State == geminiapi.BatchStateExpired {
		result = framing.Object(output)
	}
	if !status.Ended.IsZero() {
		ended = timestamp(status.Ended)
	}
	if text := jsonx.Deref(b.DisplayName); text != "" {
		displayName = framing.Text(text)
	}
	return framing.Object([]framing.Member{
		{Name: "@type", Value: framing.Text(typePackage + b.Message)},
		{Name: "model", Value: framing.Text(b.Model)},
		{Name: "displayName", Value: displayName},
		{Name: "output", Value: result},
		{Name: "createTime", Value: timestamp(b.Created)},
		{Name: "endTime", Value: ended},
		{Name: "updateTime", Value: timestamp(status.Updated)},
		{Name: "batchStats", Value: b.stats(status)},
		{Name: "state", Value: framing.Text(string(status.State))},
		{Name: "name", Value: name},
	})
}

// stats counts the requests; it omits a count of 0.
func (b *Batch) stats(status Status) jsontext.Value {
	count := func(n int) jsontext.Value {
		if n == 0 {
			return nil
		}
		return framing.Text(strconv.Itoa(n))
	}
	pending := 0
	if !status.IsDone() {
		pending = len(b.Lines)
	}
	return framing.Object([]framing.Member{
		{Name: "requestCount", Value: count(len(b.Lines))},
		{Name: "successfulRequestCount", Value: count(len(status.Results) - status.Failed)},
		{Name: "failedRequestCount", Value: count(status.Failed)},
		{Name: "pendingRequestCount", Value: count(pending)},
	})
}

// output returns the results themselves, or the file that contains them.
func (b *Batch) output(status Status) []framing.Member {
	if b.FromFile {
		return []framing.Member{{Name: "responsesFile", Value: framing.Text(status.ResponsesFile)}}
	}
	results := make([]jsontext.Value, len(status.Results))
	for i, result := range status.Results {
		results[i] = framing.Object([]framing.Member{
			{Name: "response", Value: result.Response},
			{Name: "error", Value: result.Error},
			{Name: "metadata", Value: status.Lines[i].Metadata},
		})
	}
	list := framing.Object([]framing.Member{{Name: "inlinedResponses",
		Value: framing.Array(results...)}})
	return []framing.Member{{Name: "inlinedResponses", Value: list}}
}

// fileOf writes the results in the form of a file, one object per line.
func fileOf(lines []Line, results []Result) []byte {
	var out []byte
	for i, result := range results {
		line := framing.Object([]framing.Member{
			{Name: "key", Value: framing.Text(lines[i].Key)},
			{Name: "response", Value: result.Response},
			{Name: "error", Value: result.Error},
		})
		if line.Compact() != nil {
			continue // Results are JSON.
		}
		out = append(append(out, line...), '\n')
	}
	return out
}

func timestamp(t time.Time) jsontext.Value {
	return framing.Text(t.UTC().Format("2006-01-02T15:04:05.000000000Z"))
}
