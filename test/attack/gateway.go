package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// gateway is the program under attack.
type gateway struct {
	address     string // host and port
	honestKey   string
	attackerKey string

	cmd    *exec.Cmd
	folder string
	output *output
	done   chan struct{}
}

// startGateway starts a gateway with two client keys in front of an upstream. It dies with this
// program.
func startGateway(command, upstream string, settings []string) (*gateway, error) {
	folder, err := os.MkdirTemp("", "attack")
	if err != nil {
		return nil, err
	}
	g := &gateway{folder: folder, output: &output{}, done: make(chan struct{})}
	if err := g.start(command, upstream, settings); err != nil {
		_ = os.RemoveAll(folder)
		return nil, fmt.Errorf("%w\n%s", err, g.output)
	}
	return g, nil
}

func (g *gateway) start(command, upstream string, settings []string) (err error) {
	if err := g.writeKeys(); err != nil {
		return err
	}
	g.cmd = exec.Command(command, "serve", "--addr", "127.0.0.1:0", "--upstream", "gemini",
		"--base-url", "http://"+upstream,
		"--key-file", g.keyFile(), "--store", "memory", "--log-level", "info",
		"--log-format", "text")
	g.cmd.Env = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + g.folder,
		"GEMINI_API_KEY=" + upstreamKey}, settings...)
	g.cmd.Stderr = g.output
	g.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := g.cmd.Start(); err != nil {
		return err
	}
	go func() {
		_ = g.cmd.Wait()
		close(g.done)
	}()
	g.address, err = g.output.address(10 * time.Second)
	return err
}

func (g *gateway) keyFile() string { return filepath.Join(g.folder, "keys.yaml") }

// writeKeys makes two client keys and the file that has their hashes.
func (g *gateway) writeKeys() error {
	g.honestKey, g.attackerKey = "gw-"+rand.Text(), "gw-"+rand.Text()
	text := "keys:\n"
	for name, key := range map[string]string{"honest": g.honestKey, "attacker": g.attackerKey} {
		text += fmt.Sprintf("- name: %s\n  hash: sha256:%x\n", name, sha256.Sum256([]byte(key)))
	}
	return os.WriteFile(g.keyFile(), []byte(text), 0o600)
}

// end ends the gateway and removes its files.
func (g *gateway) end() {
	_ = g.cmd.Process.Kill()
	<-g.done
	_ = os.RemoveAll(g.folder)
}

// settle waits until the gateway has answered the honest client once more. It returns the gateway's
// memory at that time.
func (g *gateway) settle(honest *honest) (int64, error) {
	ctx, stop := context.WithTimeout(context.Background(), 15*time.Second)
	defer stop()
	for {
		select {
		case <-g.done:
			return 0, fmt.Errorf("the gateway has died\n%s", g.output)
		default:
		}
		err := honest.ask(ctx)
		if err == nil {
			return g.memory(), g.holdMetrics()
		}
		if ctx.Err() != nil {
			return g.memory(), fmt.Errorf("the gateway does not answer after the attack: %w", err)
		}
	}
}

// mostMetrics is how many bytes /metrics has at most, whatever was asked.
const mostMetrics = 1 << 20

// holdMetrics fails when the attack has made /metrics large.
func (g *gateway) holdMetrics() error {
	response, err := http.Get("http://" + g.address + "/metrics")
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if size, err := io.Copy(io.Discard, response.Body); err != nil || size > mostMetrics {
		return errors.Join(fmt.Errorf("/metrics has %d bytes", size), err)
	}
	return nil
}

// memory is the resident memory in bytes, 0 when the gateway has died.
func (g *gateway) memory() int64 { return g.status("VmRSS:") }

// highestMemory is the most that memory has been.
func (g *gateway) highestMemory() int64 { return g.status("VmHWM:") }

func (g *gateway) status(member string) int64 {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", g.cmd.Process.Pid))
	if err != nil {
		return 0
	}
	for lines := bufio.NewScanner(bytes.NewReader(status)); lines.Scan(); {
		if rest, ok := strings.CutPrefix(lines.Text(), member); ok {
			kilobytes, _ := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
			return kilobytes << 10
		}
	}
	return 0
}

// output keeps the end of what the gateway writes, and the address that it listens at.
type output struct {
	mu    sync.Mutex
	text  []byte
	found string
}

var listening = regexp.MustCompile(`msg=listening url=http://(127\.0\.0\.1:[0-9]+) `)

// mostOutput is how much of the output is kept.
const mostOutput = 16 << 10

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.text = append(o.text, p...)
	if o.found == "" {
		if match := listening.FindSubmatch(o.text); match != nil {
			o.found = string(match[1])
		}
	}
	if extra := len(o.text) - mostOutput; extra > 0 {
		o.text = append(o.text[:0], o.text[extra:]...)
	}
	return len(p), nil
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return string(o.text)
}

// address waits for the address.
func (o *output) address(limit time.Duration) (string, error) {
	for deadline := time.Now().Add(limit); time.Now().Before(
		deadline); time.Sleep(10 * time.Millisecond) {
		o.mu.Lock()
		found := o.found
		o.mu.Unlock()
		if found != "" {
			return found, nil
		}
	}
	return "", fmt.Errorf("the gateway does not listen after %s", limit)
}
