package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"

	"github.com/gemwire/gemwire/server/gateway"
)

// plainConcurrency is the default concurrency of gemwire batch run.
const plainConcurrency = 64

// answerPlainly is the loop that a developer would write by hand. It sends the lines with the same
// client, many at a time, and writes the answers as they arrive. It keeps no state on disk.
func answerPlainly(args []string) error {
	if len(args) != 2 {
		return errors.New("usage: bulk plain IN OUT")
	}
	handler, err := gateway.New()
	if err != nil {
		return err
	}
	defer handler.Close()
	in, err := os.Open(args[0])
	if err != nil {
		return err
	}
	defer in.Close()
	file, err := os.Create(args[1])
	if err != nil {
		return err
	}
	answers := &answerFile{out: bufio.NewWriterSize(file, 1<<20)}
	lines := make(chan []byte, plainConcurrency)
	var loops sync.WaitGroup
	for range plainConcurrency {
		loops.Go(func() {
			for line := range lines {
				answers.add(answerLine(handler, line))
			}
		})
	}
	scanner := bufio.NewScanner(in)
	for scanner.Scan() {
		lines <- append([]byte(nil), scanner.Bytes()...)
	}
	close(lines)
	loops.Wait()
	if err := errors.Join(scanner.Err(), answers.err, answers.out.Flush()); err != nil {
		return err
	}
	return file.Close()
}

// answerFile is a file that several goroutines write to.
type answerFile struct {
	mu  sync.Mutex
	out *bufio.Writer
	err error
}

func (a *answerFile) add(line []byte, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if err == nil {
		_, err = a.out.Write(line)
	}
	a.err = errors.Join(a.err, err)
}

// answerLine sends one line as a request, and returns the line with the answer.
func answerLine(handler http.Handler, line []byte) ([]byte, error) {
	var request struct {
		CustomID string          `json:"custom_id"`
		URL      string          `json:"url"`
		Body     json.RawMessage `json:"body"`
	}
	if err := json.Unmarshal(line, &request); err != nil {
		return nil, err
	}
	r := httptest.NewRequest(http.MethodPost, "http://localhost"+request.URL,
		strings.NewReader(string(request.Body)))
	r.Header.Set("Content-Type", "application/json")
	answer := httptest.NewRecorder()
	handler.ServeHTTP(answer, r)
	if answer.Code != http.StatusOK {
		return nil, fmt.Errorf("HTTP %d: %s", answer.Code, answer.Body)
	}
	return fmt.Appendf(nil, `{"custom_id":%q,"response":{"status_code":%d,"body":%s}}`+"\n",
		request.CustomID, answer.Code, answer.Body), nil
}
