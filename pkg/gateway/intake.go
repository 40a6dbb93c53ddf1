package gateway

import (
	"cmp"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/gemwire/gemwire/pkg/gateway/clientkey"
	"github.com/gemwire/gemwire/pkg/gateway/internal/intake"
	"github.com/gemwire/gemwire/pkg/gateway/internal/problem"
	"github.com/gemwire/gemwire/pkg/gateway/internal/turn"
)

// guard refuses requests that another site makes a browser send.
func (c *call) guard() *problem.Problem {
	c.sites.SetHeaders(c.writer.Header(), c.request)
	takesJSON := c.form.name != "" && !c.form.passesBodies
	refused := c.sites.Check(c.request, takesJSON)
	if refused == nil {
		return nil
	}
	return &problem.Problem{Status: refused.Status, Type: problem.TypeInvalidRequest, Code: refused.Code, Message: refused.Reason}
}

// identify finds out whose request it is.
func (c *call) identify() *problem.Problem {
	if c.keys == nil {
		return nil
	}
	name, isNamed := namedClient(c.request.Context())
	if isNamed && name == "" {
		return nil
	}
	sent := c.callerKey()
	if isNamed {
		c.key = c.keys.Named(name)
	} else {
		c.key = c.keys.Find(sent)
	}
	if c.key != nil {
		c.clientName = c.key.Name()
		return nil
	}
	message := "this is no key of this gateway"
	switch {
	case isNamed:
		message = "this gateway has no key any more of the name " + strconv.Quote(name)
	case sent == "":
		message = "this gateway needs a key: send it as Authorization: Bearer KEY"
	}
	c.writer.Header().Set("Www-Authenticate", "Bearer")
	return &problem.Problem{Status: http.StatusUnauthorized, Type: problem.TypeInvalidRequest, Code: "invalid_api_key", Message: message}
}

// admit refuses requests above the limits, of the client and of the gateway.
func (c *call) admit() *problem.Problem {
	if !c.gate.Enter() {
		return overloaded("this gateway serves as many requests as it may (--max-concurrent)")
	}
	c.atEnd = append(c.atEnd, c.gate.Leave)
	if c.key == nil || c.request.Method != http.MethodPost {
		return nil
	}
	use, err := c.key.Take(c.start, int(max(c.request.ContentLength, 0)/bytesPerToken))
	setRateLimits(c.writer.Header(), "Requests", c.key.Requests(c.start))
	setRateLimits(c.writer.Header(), "Tokens", c.key.Tokens(c.start))
	if limited, isLimited := errors.AsType[*clientkey.LimitError](err); isLimited {
		return &problem.Problem{
			Status: http.StatusTooManyRequests, Type: problem.TypeRateLimit, Code: "rate_limit_exceeded",
			Message: limited.Error(), RetryAfter: limited.Wait,
		}
	}
	c.atEnd = append(c.atEnd, func() { c.correct(use) })
	return nil
}

// correct counts the tokens of a request against the client's limit. Those of an answer that broke off without telling
// them stay as they were estimated.
func (c *call) correct(use clientkey.Use) {
	tokens := c.end.Usage.InputTokens + c.end.Usage.OutputTokens + c.end.Usage.ThinkingTokens
	if tokens > 0 || c.end.Status >= http.StatusBadRequest && !c.end.Canceled {
		use.Correct(c.now(), tokens)
	}
}

// setRateLimits sets the headers by which OpenAI's clients learn how they stand with a limit.
func setRateLimits(header http.Header, unit string, standing clientkey.Standing) {
	if standing.Limit == 0 {
		return
	}
	header.Set("X-Ratelimit-Limit-"+unit, strconv.Itoa(standing.Limit))
	header.Set("X-Ratelimit-Remaining-"+unit, strconv.Itoa(standing.Remaining))
	header.Set("X-Ratelimit-Reset-"+unit, standing.Reset.Round(time.Millisecond).String())
}

// permitModel refuses a model that the client's key is not for. Asked is the name that the client used.
func (c *call) permitModel(asked string) *problem.Problem {
	if c.key != nil && !c.key.Permits(c.nameOf(asked)) {
		return modelNotFound(cmp.Or(asked, c.defaultModel))
	}
	return nil
}

// readConversion reads what the client wants to hear of. A switch that is neither on nor off is refused: one that asks for
// no losses must not be passed over.
func (c *call) readConversion() (p *problem.Problem) {
	if c.wanted.IsStrict, p = c.switchIn("X-Gemwire-Strict"); p != nil {
		return p
	}
	c.wanted.IsStrict = c.wanted.IsStrict || c.strict
	c.wanted.IsListed, p = c.switchIn("X-Gemwire-Report")
	return p
}

// switchIn reads a header that switches something on.
func (c *call) switchIn(header string) (bool, *problem.Problem) {
	switch value := c.request.Header.Get(header); strings.ToLower(value) {
	case "true", "1":
		return true, nil
	case "false", "0", "":
		return false, nil
	default:
		return false, problem.Invalid("invalid_header", "", strings.ToLower(header)+": must be true or false")
	}
}

// readBody reads the body, unless the form passes it on as it comes.
func (c *call) readBody() *problem.Problem {
	if c.form.passesBodies || c.request.Body == nil || c.request.Body == http.NoBody {
		return nil
	}
	if p := c.refuseEncoding(); p != nil {
		return p
	}
	body, err := c.gate.Read(c.writer, c.request)
	c.room = body
	c.atEnd = append(c.atEnd, body.Release)
	c.body, c.end.BytesIn = body.Data, int64(len(body.Data))
	body.Data = nil // which is held no longer than the form needs it
	switch {
	case err == nil:
		c.tellRequest()
		return nil
	case errors.Is(err, intake.ErrTooLarge):
		return c.tooLarge()
	case errors.Is(err, intake.ErrFull):
		return overloaded("the bodies of other requests take all memory that there is for them (--max-bytes-in-flight)")
	case errors.Is(err, intake.ErrSlow):
		c.bodyLeft, c.isStalled = false, true
		c.writer.Header().Set("Connection", "close")
		return &problem.Problem{Status: http.StatusRequestTimeout, Type: problem.TypeInvalidRequest, Code: "slow_body", Message: "the body did not come in time"}
	default:
		return problem.Invalid("unreadable_body", "", "the body could not be read to its end")
	}
}

// refuseEncoding refuses a body that is compressed, which nothing here unpacks. Google unpacks those of its own API.
func (c *call) refuseEncoding() *problem.Problem {
	encoding := c.request.Header.Get("Content-Encoding")
	if encoding == "" || encoding == "identity" || c.form.name == nativeName {
		return nil
	}
	return &problem.Problem{
		Status: http.StatusUnsupportedMediaType, Type: problem.TypeInvalidRequest, Code: "unsupported_content_encoding",
		Message: "the body is compressed (Content-Encoding: " + encoding + "), and must not be",
	}
}

// headerMaxBodySize tells the limit, and that it is this gateway's rather than that of a proxy before it.
const headerMaxBodySize = "X-Gemwire-Max-Body-Size"

func (c *call) tooLarge() *problem.Problem {
	limit := strconv.FormatInt(c.maxBodySize, 10)
	c.writer.Header().Set(headerMaxBodySize, limit)
	return &problem.Problem{
		Status: http.StatusRequestEntityTooLarge, Type: problem.TypeInvalidRequest, Code: "request_too_large",
		Message: "the body has more than the " + limit + " bytes that this gateway takes (--max-body-size)",
	}
}

// overloaded refuses a request that may come again in a moment.
func overloaded(message string) *problem.Problem {
	return &problem.Problem{
		Status: http.StatusTooManyRequests, Type: problem.TypeRateLimit, Code: "gateway_overloaded", Message: message, RetryAfter: time.Second,
	}
}

// takeRequest returns the request as forms read it. From then on the body is theirs, which is held no longer than they need
// it.
func (c *call) takeRequest() turn.Request {
	out := turn.Request{Body: c.body, ID: c.id, At: c.start, Conversion: c.wanted, IsRecorded: c.recorders.WantsBodies()}
	c.body = nil
	return out
}
