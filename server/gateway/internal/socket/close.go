package socket

import (
	"strconv"

	"github.com/coder/websocket"
)

// Close says why a connection ends. It is an error, so that the function that receives messages can
// return it.
type Close struct {
	Code   Code
	Reason string
	// Last is a message that is sent before the connection closes, or nil.
	Last []byte
}

// Error returns the code and the reason.
func (c *Close) Error() string {
	return "socket: closed with " + strconv.Itoa(int(c.Code)) + ": " + c.Reason
}

// Code is a close code of RFC 6455.
type Code int

// The close codes. Clients of OpenAI's libraries connect again after 1001, 1011 and 1012, and not
// after the others.
const (
	CodeGoingAway   = Code(websocket.StatusGoingAway)
	CodeProtocol    = Code(websocket.StatusProtocolError)
	CodeUnsupported = Code(websocket.StatusUnsupportedData)
	CodePolicy      = Code(websocket.StatusPolicyViolation)
	CodeTooBig      = Code(websocket.StatusMessageTooBig)
	CodeInternal    = Code(websocket.StatusInternalError)
	CodeRestart     = Code(websocket.StatusServiceRestart)
)
