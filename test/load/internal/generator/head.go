package generator

import (
	"bufio"
	"bytes"
	"errors"
	"strconv"
)

// head has the values of an answer's head that the generator needs.
type head struct {
	status    int
	length    int64 // -1 if the head does not contain it
	isChunked bool
	closes    bool
}

var errNoHTTP = errors.New("the answer is not HTTP")

func readHead(in *bufio.Reader) (h head, err error) {
	h.length = -1
	line, err := in.ReadSlice('\n')
	if err != nil {
		return h, err
	}
	if len(line) < len("HTTP/1.1 200") {
		return h, errNoHTTP
	}
	h.status = number(line[9:12])
	for {
		line, err := in.ReadSlice('\n')
		if err != nil {
			return h, err
		}
		line = bytes.TrimRight(line, "\r\n")
		if len(line) == 0 {
			return h, nil
		}
		name, value, _ := bytes.Cut(line, []byte(":"))
		value = bytes.TrimSpace(value)
		switch {
		case bytes.EqualFold(name, []byte("Content-Length")):
			h.length, err = strconv.ParseInt(string(value), 10, 64)
		case bytes.EqualFold(name, []byte("Transfer-Encoding")):
			h.isChunked = true
		case bytes.EqualFold(name, []byte("Connection")):
			h.closes = bytes.EqualFold(value, []byte("close"))
		}
		if err != nil {
			return h, err
		}
	}
}

// number returns the number of digits, 0 without digits.
func number(digits []byte) int {
	value := 0
	for _, digit := range digits {
		if digit < '0' || digit > '9' {
			return 0
		}
		value = value*10 + int(digit-'0')
	}
	return value
}
