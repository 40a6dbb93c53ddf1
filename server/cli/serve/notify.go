package serve

import (
	"net"
	"os"
	"strconv"
)

// notifier tells systemd how the process is, by the protocol of sd_notify(3): for units of
// Type=notify and notify-reload. Elsewhere it tells nobody.
type notifier struct{ socket string }

func newNotifier() *notifier { return &notifier{os.Getenv("NOTIFY_SOCKET")} }

// ready says that requests are taken, at first and when the settings were read again.
func (n *notifier) ready() { n.send("READY=1") }

// reloading says that the settings are being read. systemd wants to know when that began.
func (n *notifier) reloading() {
	n.send("RELOADING=1\nMONOTONIC_USEC=" + strconv.FormatInt(monotonicMicroseconds(), 10))
}

// stopping says that the process is ending.
func (n *notifier) stopping() { n.send("STOPPING=1") }

// send sends a state. That it arrives is not needed: systemd ends a process that does not answer.
func (n *notifier) send(state string) {
	if n.socket == "" {
		return
	}
	conn, err := net.DialUnix("unixgram", nil, &net.UnixAddr{Name: n.socket, Net: "unixgram"})
	if err != nil {
		return
	}
	defer conn.Close()
	_, _ = conn.Write([]byte(state))
}
