package gemini

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/gemwire/gemwire/internal/redact"
	"github.com/gemwire/gemwire/pkg/gemini/internal/transport"
)

// ForwardRequest is a request that [Client.Forward] sends unchanged.
type ForwardRequest struct {
	// Method is the HTTP method.
	Method string
	// Model and Verb name a method of a model, such as "gemini-3.6-flash" and "generateContent".
	// The client knows its path at its service.
	Model, Verb string
	// Version is the version in the path of such a method. The default is the version of the
	// client.
	Version string
	// Path is the escaped path of anything else, such as "/upload/v1beta/files".
	Path string
	// Query is the query. It must have no credential.
	Query string
	// Header is sent unchanged. It must have no credential.
	Header http.Header
	// Body is a body that the client may send more than once. Upload is a body that it reads once,
	// with UploadSize bytes, or -1 if the size is unknown.
	Body       []byte
	Upload     io.Reader
	UploadSize int64
}

// ForwardReply is the reply to a request of [Client.Forward]. The caller must close it. After a
// limit of the client or the context has ended it, Read returns the cause.
type ForwardReply struct {
	HTTPStatus int
	Header     http.Header
	// Size is the size of the body, or -1 if it is unknown.
	Size int64

	reply *transport.Reply
	rest  io.Reader
}

// Forward sends a request once, with the credential of the client, and returns the reply with any
// status. It is for proxies, and for API methods that the client does not have. An error body is
// cut at 1 MiB, and the client redacts the credential in it.
//
// The client adds no other headers and no members, and validates nothing. Its limits apply:
// [WithAttemptTimeout] from the request to the end of the reply or to [ForwardReply.Begin], and
// [WithStreamIdleTimeout] after that. The error is a *[CallError].
func (c *Client) Forward(ctx context.Context, r *ForwardRequest, opts ...CallOption) (*ForwardReply,
	error) {
	s, err := c.with(opts)
	if err != nil {
		return nil, err
	}
	x := &exchange{settings: s, op: &operation{name: "forward"}, attempts: 1}
	address, err := s.forwardAddress(r)
	if err != nil {
		return nil, err
	}
	x.origin = address
	do, err := x.doer(ctx)
	if err != nil {
		return nil, x.failed(err)
	}
	header := r.Header
	if header == nil {
		header = http.Header{}
	}
	reply, err := transport.Send(ctx, do, &transport.Request{
		Method: r.Method, URL: address, Header: header, Body: r.Body, Upload: r.Upload,
		UploadSize: r.UploadSize,
	}, s.limits)
	if err != nil {
		return nil, x.failed(err)
	}
	out := &ForwardReply{HTTPStatus: reply.Status, Header: reply.Header, Size: reply.Size,
		reply: reply, rest: reply}
	if reply.Status >= http.StatusBadRequest {
		out.blank(s.known())
	}
	return out, nil
}

// forwardAddress returns the address of a request.
func (s *settings) forwardAddress(r *ForwardRequest) (*url.URL, error) {
	where := s.endpoint
	if r.Version != "" {
		where.Version = &r.Version
	}
	if r.Model == "" {
		return where.Raw(r.Path, r.Query)
	}
	resource, err := where.Model(r.Model)
	if err != nil {
		return nil, s.wrongModel(r.Model, err)
	}
	address, err := where.URL("", resource, r.Verb)
	if err == nil {
		address.RawQuery = r.Query
	}
	return address, err
}

// blank reads the body of an error and redacts credentials in it.
func (r *ForwardReply) blank(secrets []string) {
	body := redact.Text(string(r.reply.ReadUpTo(maxErrorSize)), secrets...)
	r.rest, r.Size = strings.NewReader(body), int64(len(body))
}

// Begin marks the reply as begun. After it, only the wait for the next bytes is limited.
func (r *ForwardReply) Begin() { r.reply.Begin() }

// Read reads from the body.
func (r *ForwardReply) Read(p []byte) (int, error) { return r.rest.Read(p) }

// Close ends the request.
func (r *ForwardReply) Close() error {
	r.reply.Close()
	return nil
}
