package generator

import "strconv"

// Request is a request as it goes over the wire.
type Request struct {
	bytes []byte
	// marks is how many numbered pieces a good answer has.
	marks int
	// leave ends the connection at the first piece of the answer.
	leave bool
}

// NewRequest returns a POST of JSON. A good answer to it has marks pieces, each with its number in
// brackets.
func NewRequest(path, body string, marks int) Request {
	head := "POST " + path +
		" HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nX-Goog-Api-Key: load\r\n" +
		"Authorization: Bearer load\r\nContent-Length: " + strconv.Itoa(len(body)) + "\r\n\r\n"
	return Request{bytes: []byte(head + body), marks: marks}
}

// Left returns the request as of a client that leaves when the first piece has come.
func (r Request) Left() Request {
	r.leave = true
	return r
}
