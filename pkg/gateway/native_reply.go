package gateway

import (
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/pkg/gateway/internal/chatupstream"
	"github.com/gemwire/gemwire/pkg/gateway/internal/problem"
	"github.com/gemwire/gemwire/pkg/gemini"
)

// keptHeaders are those of an answer of Google's that are about the answer.
var keptHeaders = []string{
	"Content-Type", "Content-Disposition", "Content-Range", "Accept-Ranges", "Etag", "Last-Modified", "Retry-After",
	chatupstream.HeaderLosses, chatupstream.HeaderEstimated,
}

// addressHeaders are those in which a server says where to go on. They lead back to the gateway.
var addressHeaders = []string{"X-Goog-Upload-Url", "X-Goog-Upload-Control-Url", "Location"}

// setReplyHeader sets the header of an answer that is passed through.
func (c *call) setReplyHeader(reply *gemini.ForwardReply) {
	header := c.writer.Header()
	for _, name := range keptHeaders {
		if values := reply.Header[name]; values != nil {
			header[name] = values
		}
	}
	for name, values := range reply.Header {
		if strings.HasPrefix(name, passedPrefix) {
			header[name] = values
		}
	}
	for _, name := range addressHeaders {
		if address := reply.Header.Get(name); address != "" {
			header.Set(name, c.ownAddress(address))
		}
	}
	if reply.Size >= 0 {
		header.Set("Content-Length", strconv.FormatInt(reply.Size, 10))
	}
}

// ownAddress returns an address of Google's API as one of the gateway, and any other as it is.
func (c *call) ownAddress(address string) string {
	target, err := url.Parse(address)
	if err != nil || target.Host == "" || !isNativePath(target.Path) {
		return address
	}
	target.Scheme, target.Host, target.User = "http", c.request.Host, nil
	if c.request.TLS != nil || c.request.Header.Get("X-Forwarded-Proto") == "https" {
		target.Scheme = "https"
	}
	return target.String()
}

// isNativePath reports whether the gateway passes a path through.
func isNativePath(path string) bool {
	for _, pattern := range nativePaths {
		if strings.HasPrefix(path, strings.TrimSuffix(pattern, "*")) {
			return true
		}
	}
	return false
}

// copyBody passes a body on as it comes.
func (c *call) copyBody(reply *gemini.ForwardReply) *problem.Problem {
	out := c.passing()
	buf := make([]byte, copySize)
	for {
		n, err := reply.Read(buf)
		if n > 0 {
			if err := out.write(buf[:n]); err != nil {
				return c.leftProblem(err)
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return c.cutOff(c.failed(err))
		}
	}
}

const copySize = 32 << 10

// cutOff ends an answer that cannot go on, so that the client notices: by a connection that is closed before the end.
func (c *call) cutOff(p *problem.Problem) *problem.Problem {
	c.note(p)
	panic(http.ErrAbortHandler)
}

// leftProblem is that of a client which does not read any more.
func (c *call) leftProblem(err error) *problem.Problem {
	c.end.Canceled = true
	return &problem.Problem{Status: problem.StatusClientLeft, Type: problem.TypeInvalidRequest, Code: "client_left", Message: "the client has left", Err: err}
}
