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

// Serve runs a server on a loopback port and prints its address to standard output. It returns when
// standard input ends.
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
		return fmt.Errorf("the parent process did not stop this server within %s", longestLife)
	}
}
