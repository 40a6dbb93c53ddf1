package serve

import (
	"net"
	"os"
	"strconv"
)

// notifier reports the state of the process to systemd with the protocol of sd_notify(3), for units
// of Type=notify and notify-reload. Without systemd it does nothing.
type notifier struct{ socket string }

func newNotifier() *notifier { return &notifier{os.Getenv("NOTIFY_SOCKET")} }

// ready reports that the process accepts requests, at the start and after each reload.
func (n *notifier) ready() { n.send("READY=1") }

// reloading reports that the settings are being reloaded. systemd needs the start time.
func (n *notifier) reloading() {
	n.send("RELOADING=1\nMONOTONIC_USEC=" + strconv.FormatInt(monotonicMicroseconds(), 10))
}

// stopping reports that the process is shutting down.
func (n *notifier) stopping() { n.send("STOPPING=1") }

// send sends a state. It ignores errors, because systemd ends a process that does not report.
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
