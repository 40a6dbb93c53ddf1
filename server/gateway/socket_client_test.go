package gateway_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/coder/websocket"
)

// socketClient is a client of the Responses API by WebSocket.
type socketClient struct {
	*websocket.Conn
	ctx context.Context
}

// frame is a frame of the server, in all its forms.
type frame struct {
	Type     string  `json:"type"`
	Sequence *int    `json:"sequence_number"`
	Lane     *string `json:"stream_id"`
	Status   int     `json:"status"`
	Delta    any     `json:"delta"`
	Error    struct {
		Type, Code, Message string
		Param               *string
		Headers             map[string]string
	}
	Headers  map[string]string
	Response struct {
		ID                 string
		Status             string
		PreviousResponseID *string `json:"previous_response_id"`
		Output             []struct {
			Type   string
			CallID string `json:"call_id"`
			Name   string
		}
		Usage *struct {
			Input  int `json:"input_tokens"`
			Output int `json:"output_tokens"`
			Total  int `json:"total_tokens"`
		}
		Error *struct{ Code, Message string }
	}
	Steer      struct{ ID string }
	Input      json.RawMessage
	ResponseID string `json:"response_id"`
	text       string
}

// dialSocket connects to a gateway.
func dialSocket(t testing.TB, handler http.Handler, headers ...string) *socketClient {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	conn, _ := dialAt(t, t.Context(), server.Client(), server.URL, headers...)
	return conn
}

// dialAt connects with an HTTP client.
func dialAt(t testing.TB, ctx context.Context, client *http.Client, url string,
	headers ...string) (*socketClient, *http.Response) {
	t.Helper()
	header := http.Header{}
	for i := 0; i < len(headers); i += 2 {
		header.Set(headers[i], headers[i+1])
	}
	conn, reply, err := websocket.Dial(ctx, url+responsesPath,
		&websocket.DialOptions{HTTPClient: client, HTTPHeader: header})
	if err != nil {
		t.Fatal(err)
	}
	conn.SetReadLimit(-1)
	t.Cleanup(func() { _ = conn.CloseNow() })
	return &socketClient{conn, ctx}, reply
}

// send sends a message.
func (c *socketClient) send(t testing.TB, message string) {
	t.Helper()
	if err := c.Write(c.ctx, websocket.MessageText, []byte(message)); err != nil {
		t.Fatal(err)
	}
}

// next returns the next frame.
func (c *socketClient) next(t testing.TB) *frame {
	t.Helper()
	_, data, err := c.Read(c.ctx)
	if err != nil {
		t.Fatal(err)
	}
	return parsed(t, data)
}

// parsed parses a frame.
func parsed(t testing.TB, data []byte) *frame {
	t.Helper()
	out := &frame{text: string(data)}
	if err := json.Unmarshal(data, out); err != nil {
		t.Errorf("%v: %s", err, data)
	}
	return out
}

// closed returns the code with which the server closes, after any number of frames.
func (c *socketClient) closed() websocket.StatusCode {
	for {
		if _, _, err := c.Read(c.ctx); err != nil {
			return websocket.CloseStatus(err)
		}
	}
}

// isTerminal reports whether a frame ends a turn.
func (f *frame) isTerminal() bool {
	switch f.Type {
	case "response.completed", "response.failed", "response.incomplete", "error":
		return true
	default:
		return false
	}
}

// turn returns the frames up to the end of a turn.
func (c *socketClient) turn(t testing.TB) (out []*frame) {
	t.Helper()
	for len(out) == 0 || !out[len(out)-1].isTerminal() {
		out = append(out, c.next(t))
	}
	return out
}

// create sends a request, and returns the last frame of its turn.
func (c *socketClient) create(t testing.TB, text, members string) *frame {
	t.Helper()
	c.send(t, creating(text, members))
	frames := c.turn(t)
	return frames[len(frames)-1]
}

// creating returns a request for a response.
func creating(text, members string) string {
	return strings.Replace(asked(text, members), "{", `{"type":"response.create",`, 1)
}
