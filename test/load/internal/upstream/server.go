package upstream

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"net"
	"net/http/httputil"
	"strconv"
	"time"
)

// Serve answers all that connects, until the listener is closed.
func Serve(listener net.Listener) error {
	for {
		conn, err := listener.Accept()
		if errors.Is(err, net.ErrClosed) {
			return nil
		}
		if err != nil {
			return err
		}
		go serve(conn)
	}
}

// serve answers the requests of a connection, until it ends.
func serve(conn net.Conn) {
	defer conn.Close()
	in := bufio.NewReader(conn)
	var body, out []byte
	for {
		h, err := readHead(in)
		if err != nil {
			return
		}
		if body, err = readBody(in, h, body[:0]); err != nil {
			return
		}
		wanted := wantedBy(body)
		switch {
		case wanted.Status != 200:
			out = appendHead(out[:0], wanted.Status, appendRefusal(nil, wanted.Status))
			_, err = conn.Write(out)
		case h.streams:
			err = stream(conn, wanted)
		default:
			out = appendHead(out[:0], 200, appendWhole(nil, wanted.Size))
			_, err = conn.Write(out)
		}
		if err != nil {
			return
		}
	}
}

// head has the values of a request's head that the server needs.
type head struct {
	streams   bool
	isChunked bool
	length    int
}

func readHead(in *bufio.Reader) (h head, err error) {
	for isFirst := true; ; isFirst = false {
		line, err := in.ReadSlice('\n')
		if err != nil {
			return h, err
		}
		line = bytes.TrimRight(line, "\r\n")
		if isFirst {
			h.streams = bytes.Contains(line, []byte(":streamGenerateContent"))
			continue
		}
		if len(line) == 0 {
			return h, nil
		}
		name, value, _ := bytes.Cut(line, []byte(":"))
		value = bytes.TrimSpace(value)
		if bytes.EqualFold(name, []byte("Content-Length")) {
			h.length, err = strconv.Atoi(string(value))
		}
		if bytes.EqualFold(name, []byte("Transfer-Encoding")) {
			h.isChunked = bytes.EqualFold(value, []byte("chunked"))
		}
		if err != nil {
			return h, err
		}
	}
}

// readBody appends the body of a request.
func readBody(in *bufio.Reader, h head, dst []byte) ([]byte, error) {
	buf := bytes.NewBuffer(dst)
	var err error
	if h.isChunked {
		_, err = io.Copy(buf, httputil.NewChunkedReader(in))
		if err == nil {
			_, err = in.Discard(len("\r\n"))
		}
	} else {
		_, err = io.CopyN(buf, in, int64(h.length))
	}
	return buf.Bytes(), err
}

// appendHead appends a whole reply.
func appendHead(dst []byte, status int, body []byte) []byte {
	dst = append(dst, "HTTP/1.1 "...)
	dst = strconv.AppendInt(dst, int64(status), 10)
	dst = append(dst, " -\r\nContent-Type: application/json; charset=UTF-8\r\nContent-Length: "...)
	dst = strconv.AppendInt(dst, int64(len(body)), 10)
	dst = append(dst, "\r\n\r\n"...)
	return append(dst, body...)
}

// streamHead is the head of a stream. It is sent at once, because a model begins its answer before
// its first words exist.
const streamHead = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"

// stream answers with a stream. Each chunk is a write of its own.
func stream(conn net.Conn, wanted Wanted) error {
	if _, err := io.WriteString(conn, streamHead); err != nil {
		return err
	}
	var pace <-chan time.Time
	if wanted.Pause > 0 {
		ticker := time.NewTicker(wanted.Pause)
		defer ticker.Stop()
		pace = ticker.C
	}
	var out []byte
	for i := range wanted.Chunks {
		if i > 0 && pace != nil {
			<-pace
		}
		out = appendEvent(out[:0], i, i == wanted.Chunks-1)
		if _, err := conn.Write(out); err != nil {
			return err
		}
	}
	_, err := io.WriteString(conn, "0\r\n\r\n")
	return err
}
