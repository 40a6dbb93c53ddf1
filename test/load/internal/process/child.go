package process

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// Child is a server in a process of its own.
type Child struct {
	// Address is the host and port that it listens on.
	Address string

	command *exec.Cmd
	input   io.Closer
}

// Start starts this program with arguments, by which it calls [Serve].
func Start(args ...string) (*Child, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	c := &Child{command: exec.Command(self, args...)}
	c.command.Stderr = os.Stderr
	if c.input, err = c.command.StdinPipe(); err != nil {
		return nil, err
	}
	output, err := c.command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := c.command.Start(); err != nil {
		return nil, err
	}
	line, err := bufio.NewReader(output).ReadString('\n')
	if err != nil {
		_ = c.Stop()
		return nil, fmt.Errorf("%s did not start: %w", args[0], err)
	}
	c.Address = strings.TrimSpace(line)
	return c, nil
}

// Stop ends the process and waits for it.
func (c *Child) Stop() error {
	if err := c.input.Close(); err != nil {
		return err
	}
	return c.command.Wait()
}

// ticksPerSecond is USER_HZ, which is 100 on all that Go runs on.
const ticksPerSecond = 100

// CPU returns the time that the process has had of processors.
func (c *Child) CPU() (time.Duration, error) {
	data, err := os.ReadFile(c.file("stat"))
	if err != nil {
		return 0, err
	}
	// the fields after the name, from the third on
	fields := strings.Fields(string(data[bytes.LastIndexByte(data, ')')+1:]))
	user, err := strconv.Atoi(fields[11])
	if err != nil {
		return 0, err
	}
	system, err := strconv.Atoi(fields[12])
	return time.Duration(user+system) * time.Second / ticksPerSecond, err
}

// Resident returns the bytes of memory that are resident.
func (c *Child) Resident() (int64, error) {
	data, err := os.ReadFile(c.file("statm"))
	if err != nil {
		return 0, err
	}
	pages, err := strconv.ParseInt(strings.Fields(string(data))[1], 10, 64)
	return pages * int64(os.Getpagesize()), err
}

func (c *Child) file(name string) string {
	return "/proc/" + strconv.Itoa(c.command.Process.Pid) + "/" + name
}
