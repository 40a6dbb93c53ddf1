package websearch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"

	"github.com/gemwire/gemwire/internal/recovered"
)

// outcome is the result of a call: results or an error.
type outcome struct {
	results []Result
	failure *Error
}

// callAll runs the calls concurrently, up to the limit, and waits for all of them. The outcomes
// have the order of the calls.
func (c *Client) callAll(ctx context.Context, calls []call) []outcome {
	outcomes := make([]outcome, len(calls))
	slots := make(chan struct{}, c.parallelCalls)
	var running sync.WaitGroup
	for i, call := range calls {
		slots <- struct{}{}
		running.Go(func() {
			defer func() { <-slots }()
			outcomes[i] = c.callRecovered(ctx, call)
		})
	}
	running.Wait()
	return outcomes
}

// callRecovered makes a call on a goroutine of the client. There, a panic of the caller's Doer
// would end the program, so callRecovered recovers it.
func (c *Client) callRecovered(ctx context.Context, call call) (out outcome) {
	err := recovered.Call(func() error {
		out = c.call(ctx, call)
		return nil
	})
	if err != nil {
		return outcome{failure: c.networkError(err)}
	}
	return out
}

func (c *Client) call(ctx context.Context, call call) outcome {
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()

	status, body, err := c.get(ctx, call.rawQuery(c.credentials))
	if err != nil {
		return outcome{failure: c.networkError(err)}
	}
	whole := int64(len(body)) <= c.maxBodySize
	switch {
	case status != http.StatusOK && whole:
		return outcome{failure: c.credentials.redactError(apiError(status, body))}
	case status != http.StatusOK:
		return outcome{failure: apiError(status, nil)}
	case !whole:
		return outcome{failure: &Error{
			Code: CodeAPIError,
			Message: fmt.Sprintf("Failed to parse API response: it is larger than %d bytes",
				c.maxBodySize), HTTPStatus: status,
		}}
	}
	results, failure := parsePage(body)
	if failure != nil {
		return outcome{failure: c.credentials.redactError(failure)}
	}
	return outcome{results: c.credentials.redactResults(results)}
}

var errNoReply = errors.New("the Doer returned neither a reply nor an error")

// get returns the status and the body of a reply. For a body above the limit it returns one byte
// more than the limit.
func (c *Client) get(ctx context.Context, rawQuery string) (int, []byte, error) {
	address := c.endpoint
	address.RawQuery = rawQuery
	request := &http.Request{Method: http.MethodGet, URL: &address, Header: http.Header{}}
	reply, err := c.http.Do(request.WithContext(ctx))
	if err != nil {
		return 0, nil, err
	}
	if reply == nil || reply.Body == nil {
		return 0, nil, errNoReply
	}
	defer reply.Body.Close()
	body, err := io.ReadAll(io.LimitReader(reply.Body, c.maxBodySize+1))
	return reply.StatusCode, body, err
}
