package gemini

import (
	"errors"
	"fmt"
	"strings"
)

var errHeaderName = errors.New("the name of a header is a word of letters, digits and !#$%&'*+-.^_`|~")

// checkHeader returns what is wrong with a header by RFC 9110 (5.1, 5.5), which net/http finds out when it sends, and
// reports like a failure of the network. It does not quote the value.
func checkHeader(name, value string) error {
	if name == "" || strings.ContainsFunc(name, isNotOfToken) {
		return errHeaderName
	}
	if !isHeaderValue(value) {
		return fmt.Errorf("the value of the header %s has a control character", name)
	}
	return nil
}

func isNotOfToken(r rune) bool {
	isAlphanumeric := r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z'
	return !isAlphanumeric && !strings.ContainsRune("!#$%&'*+-.^_`|~", r)
}

// isHeaderValue reports whether a header can hold a text: one without control characters other than tabs.
func isHeaderValue(value string) bool {
	return !strings.ContainsFunc(value, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f })
}
