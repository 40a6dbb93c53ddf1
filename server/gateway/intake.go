package gateway

import (
	"cmp"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"github.com/gemwire/gemwire/server/gateway/internal/intake"
	"github.com/gemwire/gemwire/server/gateway/internal/problem"
	"github.com/gemwire/gemwire/server/gateway/internal/secret"
)

// guard refuses requests that another site makes a browser send.
func (c *call) guard() *problem.Problem {
	c.sites.SetHeaders(c.writer.Header(), c.request)
	takesJSON := c.form.name != "" && !c.form.passesBodies
	refused := c.sites.Check(c.request, takesJSON)
	if refused == nil {
		return nil
	}
	return &problem.Problem{Status: refused.Status, Type: problem.TypeInvalidRequest,
		Code: refused.Code, Message: refused.Reason}
}

// identify determines the client of a request. It refuses a request that lacks a required key
// before it reads the body.
func (c *call) identify() *problem.Problem {
	if c.callersKey && !c.convertsOnly() && c.callerKey() == "" {
		return c.noCallersKey()
	}
	if c.keys == nil {
		c.terms.Client = clientOfAddress(c.request.RemoteAddr)
		return nil
	}
	sent := c.callerKey()
	switch {
	case c.inProcess == nil:
		c.key = c.keys.Find(sent)
	case c.inProcess.Client == "":
		return nil
	default:
		c.key = c.keys.Named(c.inProcess.Client)
	}
	if c.key != nil {
		c.clientName = c.key.Name()
		c.terms.Client = c.clientName
		return nil
	}
	message := "unknown API key; send a client key of this gateway, which gemwire keys new makes"
	switch {
	case c.inProcess != nil:
		message = "this gateway no longer has a client key named " +
			strconv.Quote(c.inProcess.Client)
	case sent == "":
		message = "this gateway requires an API key; send it as Authorization: Bearer KEY"
	}
	c.writer.Header().Set("Www-Authenticate", "Bearer")
	return &problem.Problem{Status: http.StatusUnauthorized, Type: problem.TypeInvalidRequest,
		Code: "invalid_api_key", Message: message}
}

// clientOfAddress returns the client of a gateway without keys: an IPv4 address, or the IPv6
// network that one client has.
func clientOfAddress(remote string) string {
	at, err := netip.ParseAddrPort(remote)
	if err != nil {
		return remote
	}
	address := at.Addr().Unmap()
	if address.Is4() {
		host, _, _ := net.SplitHostPort(remote) // which was parsed
		return host
	}
	network, _ := address.WithZone("").Prefix(64) // it has as many bits
	return network.String()
}

// admit refuses requests above the limits of the client and of the gateway, before it reads their
// bodies.
func (c *call) admit() *problem.Problem {
	if c.convertsOnly() {
		return nil
	}
	c.line = c.gate.Calls
	if c.form.passesBodies && c.hasBody() {
		c.line = c.gate.Uploads
	}
	if !c.line.HasPlace(c.terms.Client) {
		return errBusy()
	}
	return c.takeLimits()
}

// tokensAtFirst estimates the tokens of a request that is not answered yet. Only POST requests have
// tokens.
func (c *call) tokensAtFirst() int {
	if c.request.Method != http.MethodPost {
		return 0
	}
	return max(int(c.request.ContentLength/bytesPerToken), 1)
}

// permitModel refuses a model that the client's key does not allow. Asked is the name that the
// client sent.
func (c *call) permitModel(asked string) *problem.Problem {
	if c.key != nil && !c.key.Permits(c.nameOf(asked)) {
		return modelNotFound(cmp.Or(asked, c.defaultModel))
	}
	return nil
}

// readConversion reads the client's conversion headers. It refuses a switch that is neither on nor
// off, because a request to lose nothing must not be ignored.
func (c *call) readConversion() (p *problem.Problem) {
	if c.wanted.IsStrict, p = c.switchIn("X-Gemwire-Strict"); p != nil {
		return p
	}
	c.wanted.IsStrict = c.wanted.IsStrict || c.strict
	c.wanted.IsListed, p = c.switchIn("X-Gemwire-Report")
	return p
}

// switchIn reads a header with a boolean value.
func (c *call) switchIn(header string) (bool, *problem.Problem) {
	switch value := c.request.Header.Get(header); strings.ToLower(value) {
	case "true", "1":
		return true, nil
	case "false", "0", "":
		return false, nil
	default:
		return false, problem.Invalid("invalid_header", "",
			strings.ToLower(header)+": must be true or false")
	}
}

func (c *call) hasBody() bool { return c.request.Body != nil && c.request.Body != http.NoBody }

// readBody reads the body, unless the form passes it on as it arrives.
func (c *call) readBody() *problem.Problem {
	if c.received != nil {
		return c.takeBody(c.received, c.unread)
	}
	if !c.hasBody() {
		if !c.form.passesBodies {
			c.observeRequest()
		}
		return nil
	}
	if c.form.passesBodies {
		c.upload = intake.NewPacedBody(c.writer, c.request, c.terms.Pace)
		c.request.Body = c.upload
		return nil
	}
	if p := c.readEncodings(); p != nil {
		return p
	}
	return c.takeBody(c.gate.Read(c.writer, c.request, c.terms))
}

// takeBody makes a body the body of the request.
func (c *call) takeBody(body *intake.Body, err error) *problem.Problem {
	c.room = body
	c.atEnd = append(c.atEnd, body.Release)
	c.body, c.end.BytesIn = body.Data, int64(len(body.Data))
	body.Data = nil // which is held no longer than the form needs it
	if err != nil {
		return c.unreadBody(err)
	}
	c.recorders.Secrets.Add(secret.OfBody(c.body)...)
	c.observeRequest()
	return c.refuseHugeNumber()
}

// unreadBody returns the problem of a body that was not read.
func (c *call) unreadBody(err error) *problem.Problem {
	switch {
	case errors.Is(err, intake.ErrTooLarge):
		return c.tooLarge()
	case errors.Is(err, intake.ErrFull):
		return errNoMemory()
	case errors.Is(err, intake.ErrSlow):
		return c.slowBody()
	case errors.Is(err, intake.ErrWindow):
		return problem.Invalid("invalid_content_encoding", "",
			"the window of the zstd body is above 8 MiB (RFC 9659); compress it with a smaller window")
	case errors.Is(err, intake.ErrEncoding):
		return problem.Invalid("invalid_content_encoding", "",
			"the request body is not in the encoding of its Content-Encoding header ("+
				strings.Join(c.terms.Encodings, ", ")+")")
	default:
		return problem.UnreadableBody()
	}
}

// slowBody refuses a body that does not arrive in time. The connection cannot be used again.
func (c *call) slowBody() *problem.Problem {
	c.bodyLeft, c.isStalled = false, true
	c.writer.Header().Set("Connection", "close")
	return &problem.Problem{
		Status: http.StatusRequestTimeout, Type: problem.TypeInvalidRequest, Code: "slow_body",
		Message: "the request body did not arrive in time (--body-timeout, --body-rate)",
	}
}

// drain reads what the client still sends of the body of a refused request. A client that waits for
// 100 Continue sends nothing.
func (c *call) drain() {
	switch {
	case !c.hasBody() || c.request.Header.Get("Expect") != "":
	case c.upload != nil:
		if !c.upload.IsAtEnd() && !c.upload.IsSlow() {
			c.gate.Drain(c.writer, c.upload.Unpaced())
		}
	case c.bodyLeft:
		c.gate.Drain(c.writer, c.request.Body)
	}
}

// enter waits for a slot. A request waits after its body has arrived, so that a slow body does not
// take a slot from others.
func (c *call) enter() *problem.Problem {
	if c.convertsOnly() {
		return nil
	}
	arrived := c.now()
	err := c.line.Enter(c.request.Context(), c.terms.Client, c.terms.Wait)
	c.end.Waited = c.now().Sub(arrived)
	if err != nil {
		if c.isEnding() {
			return problem.Closing()
		}
		return errBusy()
	}
	c.atEnd = append(c.atEnd, func() { c.line.Leave(c.terms.Client) })
	return nil
}

// refuseHugeNumber refuses a number that no client can parse, for example in a schema, because
// answers repeat parts of their requests. Bodies for Gemini's own API are passed on unchanged.
func (c *call) refuseHugeNumber() *problem.Problem {
	if c.form.name == nativeName {
		return nil
	}
	pointer, found := intake.HugeNumber(c.body)
	if !found {
		return nil
	}
	return problem.Invalid("invalid_value", pointer,
		pointer+": the number is too large; the maximum is 1.8e308")
}

// readEncodings reads the encodings of a compressed body, and refuses unknown ones. The body is
// passed on without them.
func (c *call) readEncodings() *problem.Problem {
	values := c.request.Header.Values("Content-Encoding")
	if len(values) == 0 {
		return nil
	}
	encodings, unknown := intake.ParseEncodings(values)
	if unknown != "" {
		known := strings.Join(intake.Encodings, ", ")
		c.writer.Header().Set("Accept-Encoding", known)
		return &problem.Problem{
			Status: http.StatusUnsupportedMediaType, Type: problem.TypeInvalidRequest,
			Code: "unsupported_content_encoding",
			Message: "Content-Encoding: " + strconv.Quote(unknown) +
				" is not supported; use one of " + known + ", or none",
		}
	}
	c.terms.Encodings = encodings
	c.request.Header.Del("Content-Encoding")
	return nil
}

// headerMaxBodySize is the header with the limit. It shows that the limit is this gateway's and not
// a proxy's.
const headerMaxBodySize = "X-Gemwire-Max-Body-Size"

func (c *call) tooLarge() *problem.Problem {
	limit := strconv.FormatInt(c.maxBodySize, 10)
	c.writer.Header().Set(headerMaxBodySize, limit)
	return &problem.Problem{
		Status: http.StatusRequestEntityTooLarge, Type: problem.TypeInvalidRequest,
		Code: "request_too_large",
		Message: "the request body is larger than the limit of " + limit +
			" bytes (--max-body-size)",
	}
}

// errBusy refuses a request that got no slot in time.
func errBusy() *problem.Problem {
	return overloaded("this gateway is at its limit of concurrent requests (--max-concurrent)")
}

// errNoMemory refuses a request whose body, or whose stored items, get no memory in time.
func errNoMemory() *problem.Problem {
	return overloaded("other request bodies use all the memory for bodies (--max-bytes-in-flight)")
}

// overloaded refuses a request that the client can retry in a moment.
func overloaded(message string) *problem.Problem {
	return &problem.Problem{
		Status: http.StatusTooManyRequests, Type: problem.TypeRateLimit, Code: "gateway_overloaded",
		Message: message, RetryAfter: time.Second,
	}
}
