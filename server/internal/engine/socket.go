package engine

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// socket makes the server reachable for other processes of the same user.
type socket struct {
	listener net.Listener
	folder   string // a folder that was made for the socket alone, or ""
	done     sync.WaitGroup

	mu    sync.Mutex
	conns map[net.Conn]struct{} // nil when closed
}

// socketPath is the maximum path length of a socket on all systems: 104 bytes on macOS, including
// the terminating zero.
const socketPath = 103

// addressFile is the file with the path of the socket.
const addressFile = "socket.path"

// errUnreachable is the error of other processes while the process with the lock starts or ends.
var errUnreachable = errors.New("store: another process has the store open, and cannot be reached")

// listenSocket opens a socket. It joins the socket's connections to the connections that connect
// makes. The socket is in the directory. If that path is too long, it is in a separate temporary
// directory, also accessible to its owner only.
func listenSocket(directory string, connect func() (net.Conn, error)) (*socket, error) {
	s := &socket{conns: map[net.Conn]struct{}{}}
	path := filepath.Join(directory, "socket")
	if len(path) > socketPath {
		folder, err := os.MkdirTemp("", "gemwire-bulk-")
		if err != nil {
			return nil, fmt.Errorf("store: make a folder for the socket of the store: %w", err)
		}
		s.folder, path = folder, filepath.Join(folder, "socket")
	}
	_ = os.Remove(path) // of a process that was killed
	var err error
	if s.listener, err = net.Listen("unix", path); err == nil {
		err = os.Chmod(path, 0o600)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(directory, addressFile), []byte(path), 0o600)
	}
	if err != nil {
		s.close()
		return nil, fmt.Errorf("store: open the socket of the store: %w", err)
	}
	s.done.Go(func() { s.accept(connect) })
	return s, nil
}

// dialSocket connects to the server of another process.
func dialSocket(directory string) (net.Conn, error) {
	path, err := os.ReadFile(filepath.Join(directory, addressFile))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errUnreachable, err)
	}
	conn, err := net.Dial("unix", strings.TrimSpace(string(path)))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errUnreachable, err)
	}
	return conn, nil
}

func (s *socket) accept(connect func() (net.Conn, error)) {
	for {
		outside, err := s.listener.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil { // such as too many open files
			time.Sleep(hostPause)
			continue
		}
		inside, err := connect()
		if err != nil || !s.keep(outside, inside) {
			_ = outside.Close()
			continue
		}
		s.done.Go(func() { join(outside, inside); s.drop(outside, inside) })
	}
}

// join copies data in both directions until one side ends.
func join(outside, inside net.Conn) {
	var back sync.WaitGroup
	back.Go(func() {
		_, _ = io.Copy(outside, inside)
		_ = outside.Close()
	})
	_, _ = io.Copy(inside, outside)
	_ = inside.Close()
	back.Wait()
}

func (s *socket) keep(conns ...net.Conn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.conns == nil {
		for _, conn := range conns {
			_ = conn.Close()
		}
		return false
	}
	for _, conn := range conns {
		s.conns[conn] = struct{}{}
	}
	return true
}

func (s *socket) drop(conns ...net.Conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, conn := range conns {
		delete(s.conns, conn)
	}
}

// close ends all connections.
func (s *socket) close() {
	if s.listener != nil {
		_ = s.listener.Close()
	}
	s.mu.Lock()
	for conn := range s.conns {
		_ = conn.Close()
	}
	s.conns = nil
	s.mu.Unlock()
	s.done.Wait()
	if s.folder != "" {
		_ = os.RemoveAll(s.folder)
	}
}
