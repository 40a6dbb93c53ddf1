package gateway

import (
	"errors"
	"io"
	"net/http"
	"strconv"

	"github.com/gemwire/gemwire/pkg/normalize"
)

// guard refuses requests that another site makes a browser send.
func (c *call) guard() *Problem { return nil }

// identify finds out whose request it is.
func (c *call) identify() *Problem { return nil }

// admit refuses requests above the limits, of the client and of the gateway.
func (c *call) admit() *Problem { return nil }

// permitModel refuses a model that the client's key is not for. Asked is the name that the client used.
func (c *call) permitModel(asked string) *Problem { return nil }

// charge counts the tokens of an answer against the client's limits.
func (c *call) charge(usage normalize.Usage) {}

// readBody reads the body, unless the form passes it on as it comes.
func (c *call) readBody() *Problem {
	if c.form.passesBodies || c.request.Body == nil || c.request.Body == http.NoBody {
		return nil
	}
	body, err := io.ReadAll(http.MaxBytesReader(c.writer, c.request.Body, c.maxBodySize))
	c.end.BytesIn = int64(len(body))
	if _, isTooLarge := errors.AsType[*http.MaxBytesError](err); isTooLarge {
		return &Problem{
			Status: http.StatusRequestEntityTooLarge, Type: typeInvalidRequest, Code: "request_too_large",
			Message: "the body has more than the " + strconv.FormatInt(c.maxBodySize, 10) + " bytes that this gateway takes (--max-body-size)",
		}
	}
	if err != nil {
		return invalidRequest("unreadable_body", "", "the body could not be read to its end")
	}
	c.body = body
	c.tellRequest()
	return nil
}
