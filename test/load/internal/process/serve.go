package process

import (
	"fmt"
	"io"
	"net"
	"os"
	"time"
)

// longestLife is how long a server may live whatever becomes of the program that started it.
const longestLife = 30 * time.Minute

// Serve has a server listen on a port of loopback, tells the address on standard output, and
// returns when standard input ends.
func Serve(serve func(net.Listener) error) error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	defer listener.Close()
	fmt.Println(listener.Addr())
	ended := make(chan error, 2)
	go func() { ended <- serve(listener) }()
	go func() {
		_, err := io.Copy(io.Discard, os.Stdin)
		ended <- err
	}()
	select {
	case err := <-ended:
		return err
	case <-time.After(longestLife):
		return fmt.Errorf("nobody ended this server within %s", longestLife)
	}
}
