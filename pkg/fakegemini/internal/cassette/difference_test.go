package cassette

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestADifferenceShowsTheLinesThatDiffer(t *testing.T) {
	t.Parallel()
	request := func(url,
		body string) Request {
		return Request{Method: "POST", URL: url, Body: Bytes(body)}
	}
	many := func(line string) string { return strings.Repeat(line+"\n", 2000) }
	for name, test := range map[string]struct {
		recorded, asked Request
		want            []string
	}{
		"a line in the middle": {
			request("/a", "1\n2\n3\n4\n5\n6\n7\n8\n9\n"),
			request("/a", "1\n2\n3\n4\nfive\n6\n7\n8\n9\n"),
			[]string{"  ...", "  2", "  3", "  4", "- 5", "+ five", "  6", "  7", "  8", "  ..."},
		},
		"a line more and a line less": {
			request("/a", "1\n2\n3\n"), request("/a", "0\n1\n2\n"),
			[]string{"  POST /a", "+ 0", "  1", "  2", "- 3"},
		},
		"lines that both have between others": {
			request("/a", "a\nx\nb\ny\nc\n"), request("/a", "d\nx\ne\ny\nf\n"),
			[]string{"  POST /a", "- a", "+ d", "  x", "- b", "+ e", "  y", "- c", "+ f"},
		},
		"another address": {
			request("/a", "1\n"), request("/b", "1\n"), []string{"- POST /a", "+ POST /b", "  1"},
		},
		"members in another order": {
			request("/a", `{"b":1,"a":2}`), request("/a", `{"a":2,"b":3}`),
			[]string{"  POST /a", "  {", `    "a": 2,`, `-   "b": 1`, `+   "b": 3`, "  }"},
		},
		"nothing":  {request("/a", "1\n"), request("/a", ""), []string{"  POST /a", "- 1", "+ "}},
		"the same": {request("/a", "1\n"), request("/a", "1\n"), []string{"  ..."}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(test.want,
				strings.Split(test.recorded.difference(test.asked), "\n")); diff != "" {
				t.Error(diff)
			}
		})
	}
	long := request("/a", many("a")).difference(request("/a", many("b")))
	if !strings.HasPrefix(long, "  POST /a\n- a\n") || !strings.HasSuffix(long, "\n... and more") ||
		len(long) > longestDifference+100 {
		t.Errorf("%d bytes: %.100s", len(long), long)
	}
}

func TestEveryChangeOfAnExchangeIsSeen(t *testing.T) {
	t.Parallel()
	made := func() *Exchange {
		return &Exchange{
			Request{Method: "POST", URL: "/a", Header: map[string]string{"A": "1"},
				Body: Bytes("body")},
			Reply{Status: 200, Header: map[string][]string{"B": {"1", "2"}},
				Chunks: []Chunk{{1, Bytes("x")}, {2, Bytes("y")}}},
		}
	}
	if !made().equal(made()) {
		t.Error("an exchange is not equal to itself")
	}
	for name, change := range map[string]func(*Exchange){
		"method":          func(e *Exchange) { e.Request.Method = "GET" },
		"url":             func(e *Exchange) { e.Request.URL = "/b" },
		"request header":  func(e *Exchange) { e.Request.Header["A"] = "2" },
		"request body":    func(e *Exchange) { e.Request.Body = nil },
		"status":          func(e *Exchange) { e.Reply.Status = 201 },
		"reply header":    func(e *Exchange) { e.Reply.Header["B"][1] = "3" },
		"time of a chunk": func(e *Exchange) { e.Reply.Chunks[1].After = 3 },
		"body of a chunk": func(e *Exchange) { e.Reply.Chunks[1].Body = Bytes("z") },
		"a chunk more":    func(e *Exchange) { e.Reply.Chunks = append(e.Reply.Chunks, Chunk{}) },
		"incomplete":      func(e *Exchange) { e.Reply.Incomplete = true },
	} {
		changed := made()
		if change(changed); changed.equal(made()) || made().equal(changed) {
			t.Errorf("%s: the change is not seen", name)
		}
	}
}
