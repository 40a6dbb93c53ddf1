package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// longestHold is how long an attacker holds a connection that the gateway does not cut.
const longestHold = 25 * time.Second

// dial connects to the gateway. The connection is cut when the context is done.
func dial(ctx context.Context, t target) (*net.TCPConn, error) {
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", t.address)
	if err != nil {
		return nil, err
	}
	_ = conn.SetDeadline(time.Now().Add(longestHold))
	context.AfterFunc(ctx, func() { _ = conn.SetDeadline(time.Now()) })
	return conn.(*net.TCPConn), nil
}

// head returns the head of a request whose body has length bytes.
func (t target) head(path string, length int) string {
	return "POST " + path +
		" HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nAuthorization: Bearer " +
		t.key +
		"\r\nContent-Length: " + strconv.Itoa(length) + "\r\n\r\n"
}

// anyAsk is one of the forms, by chance, for a model.
func anyAsk(model string) (path, body string) { return asks[rand.IntN(len(asks))].of(model) }

// send sends bytes on a connection of their own and returns it.
func send(ctx context.Context, t target, text string) (*net.TCPConn, error) {
	conn, err := dial(ctx, t)
	if err != nil {
		return nil, err
	}
	if _, err := io.WriteString(conn, text); err != nil {
		conn.Close()
		return nil, err
	}
	return conn, nil
}

// announce announces a body of 64 MiB, sends one byte of it and waits for the gateway. Every second
// time the key is wrong.
func announce(ctx context.Context, t target) error {
	if t.number%2 == 1 {
		t.key = "wrong"
	}
	paths := []string{"/v1/chat/completions", "/v1/responses", "/v1/messages",
		"/v1beta/models/" + goodModel + ":generateContent",
		"/v1/files", "/upload/v1beta/files"}
	conn, err := send(ctx, t, t.head(paths[t.number%len(paths)], 64<<20)+"{")
	if err != nil {
		return err
	}
	return readAll(conn)
}

// readAll reads until the gateway closes the connection, and closes it too.
func readAll(conn net.Conn) error {
	defer conn.Close()
	_, err := io.Copy(io.Discard, conn)
	return err
}

// dripHead sends a head byte by byte.
func dripHead(ctx context.Context, t target) error {
	conn, err := dial(ctx, t)
	if err != nil {
		return err
	}
	defer conn.Close()
	for _, b := range []byte(t.head("/v1/chat/completions", 10) + strings.Repeat("x", 10)) {
		if _, err := conn.Write([]byte{b}); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(200 * time.Millisecond):
		}
	}
	return readAll(conn)
}

// halfClose sends a part of a body, or all of it, and closes its side. A success without a body
// breaks a promise.
func halfClose(ctx context.Context, t target) error {
	path, body := anyAsk(goodModel)
	conn, err := send(ctx, t, t.head(path, len(body))+body[:rand.IntN(len(body)+1)])
	if err != nil {
		return err
	}
	_ = conn.CloseWrite()
	defer conn.Close()
	response, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		return err // the connection is cut, which is right
	}
	text, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode == http.StatusOK && len(text) == 0 {
		return brokenPromise("a client that closed its side got 200 with an empty body from " +
			path)
	}
	return err
}

// neverRead asks for an answer of 8 MiB and reads nothing of it.
func neverRead(ctx context.Context, t target) error {
	path, body := anyAsk("large")
	conn, err := dial(ctx, t)
	if err != nil {
		return err
	}
	defer conn.Close()
	_ = conn.SetReadBuffer(4 << 10)
	if _, err := io.WriteString(conn, t.head(path, len(body))+body); err != nil {
		return err
	}
	select {
	case <-ctx.Done():
	case <-time.After(longestHold):
	}
	return nil
}

// sendJunk sends bytes that are no request, or a request with bytes changed.
func sendJunk(ctx context.Context, t target) error {
	path, body := anyAsk(goodModel)
	text := []byte(t.head(path, len(body)) + body)
	switch rand.IntN(4) {
	case 0:
		text = bytes.Repeat([]byte{byte(rand.IntN(256))}, 1+rand.IntN(64<<10))
	case 1:
		text = []byte(t.head(path, 1<<20) + strings.Repeat(`{"a":[`, 1<<20/6+1)[:1<<20])
	default:
		for range 1 + rand.IntN(8) {
			text[rand.IntN(len(text))] = byte(rand.IntN(256))
		}
	}
	conn, err := send(ctx, t, string(text))
	if err != nil {
		return err
	}
	_ = conn.SetDeadline(time.Now().Add(time.Second))
	return readAll(conn)
}

// leave asks and resets the connection before the answer, or at its first byte.
func leave(ctx context.Context, t target) error {
	path, body := anyAsk([]string{goodModel, "silent", "endless"}[rand.IntN(3)])
	conn, err := send(ctx, t, t.head(path, len(body))+body)
	if err != nil {
		return err
	}
	_ = conn.SetReadDeadline(time.Now().Add(time.Duration(rand.IntN(20)) * time.Millisecond))
	_, _ = conn.Read(make([]byte, 1))
	_ = conn.SetLinger(0)
	return conn.Close()
}

// asksFor returns an attack that asks for models, one after another, in any form.
func asksFor(models ...string) func(context.Context, target) error {
	return func(ctx context.Context,
		t target) error {
		return post(ctx, t, models[rand.IntN(len(models))])
	}
}

// post asks for a model in any form and reads the whole answer.
func post(ctx context.Context, t target, model string) error {
	path, body := anyAsk(model)
	ctx, stop := context.WithTimeout(ctx, longestHold)
	defer stop()
	request, err := http.NewRequestWithContext(ctx, "POST", "http://"+t.address+path,
		strings.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", "Bearer "+t.key)
	response, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if s := response.StatusCode; s != http.StatusOK && (s < 400 || s > 599) ||
		response.Header.Get("Location") != "" {
		return brokenPromise(fmt.Sprintf("the upstream's %s for %s reached a client",
			response.Status, model))
	}
	_, err = io.Copy(io.Discard, response.Body)
	return err
}

// nameModels asks for a model whose name is new each time: long, or with characters that no name
// has.
func nameModels(ctx context.Context, t target) error {
	name := fmt.Sprintf("model-%d-%s", rand.Int64(), strings.Repeat("n", rand.IntN(1<<20)))
	path, body := asks[rand.IntN(6)].of(name) // not the native ones, which have it in their path
	conn, err := send(ctx, t, t.head(path, len(body))+body)
	if err != nil {
		return err
	}
	_ = conn.SetDeadline(time.Now().Add(time.Second))
	_, _ = conn.Read(make([]byte, 1))
	return conn.Close()
}

// startBackground begins a response in the background that is never answered.
func startBackground(ctx context.Context, t target) error {
	body := `{"model":"silent","input":"Hello","background":true}`
	conn, err := send(ctx, t, t.head("/v1/responses", len(body))+body)
	if err != nil {
		return err
	}
	_, _ = conn.Read(make([]byte, 1))
	return conn.Close()
}
