package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// batchLines is how many requests a batch has at most, which is OpenAI's limit.
const batchLines = 50_000

// tryServe has a gateway answer lines of 1 KB by OpenAI's Batch API, in as many batches as they
// need.
func tryServe(p *plan) error {
	folder, err := p.dir("serve")
	if err != nil {
		return err
	}
	args := []string{"serve", "--addr", "127.0.0.1:0", "--store",
		filepath.Join(folder, "store"), "--upstream", "embedded", "--bulk-concurrency", "64"}
	gateway, err := start(nil, p.command, append(args, "--log-level", "warn", "--hints")...)
	if err != nil {
		return err
	}
	defer gateway.end()
	url, err := addressOf(gateway)
	if err != nil {
		return err
	}
	highest := watchMemory(gateway)
	began := time.Now()
	var batches []*batch
	for i, left := 0, p.lines; left > 0; i, left = i+1, left-batchLines {
		b := &batch{url: url, lines: min(left, batchLines),
			folder: filepath.Join(folder, fmt.Sprint(i))}
		if err := b.begin(); err != nil {
			return err
		}
		batches = append(batches, b)
	}
	for _, b := range batches {
		if err := b.end(gateway); err != nil {
			return err
		}
	}
	took := time.Since(began)
	gateway.end()
	fmt.Printf("- %d lines of 1 KB, in batches of %d at most, in %s, %.0f a second: each answered once\n",
		p.lines, batchLines, took.Round(time.Second), float64(p.lines)/took.Seconds())
	return holdMemory(<-highest, mostMemory)
}

// holdMemory says how much memory a process has had at most, and fails where that is more than the
// limit.
func holdMemory(highest, limit int64) error {
	fmt.Printf("- memory at most %d MB; limit %d MB\n", highest>>20, limit>>20)
	if highest > limit {
		return fmt.Errorf("%d MB of memory", highest>>20)
	}
	return nil
}

// address finds where a gateway listens, in its hints.
var address = regexp.MustCompile(`curl (http://127\.0\.0\.1:[0-9]+)/`)

func addressOf(gateway *process) (string, error) {
	line, err := gateway.waitFor("curl http://", 30*time.Second)
	if err != nil {
		return "", err
	}
	found := address.FindStringSubmatch(line)
	if found == nil {
		return "", errors.New("the gateway does not say where it listens: " + line)
	}
	return found[1], nil
}

// batch is one of OpenAI's Batch API.
type batch struct {
	url, folder, id string
	lines           int
}

// batchObject has the members of a file or a batch that the test reads.
type batchObject struct {
	ID         string `json:"id"`
	Status     string `json:"status"`
	OutputFile string `json:"output_file_id"`
}

// begin sends the file of requests, and begins the batch.
func (b *batch) begin() error {
	if err := os.MkdirAll(b.folder, 0o700); err != nil {
		return err
	}
	in := filepath.Join(b.folder, "in.jsonl")
	if err := writeInput(in, b.lines, 900); err != nil {
		return err
	}
	file, err := os.Open(in)
	if err != nil {
		return err
	}
	defer file.Close()
	body, writer := io.Pipe()
	form := multipart.NewWriter(writer)
	go func() { writer.CloseWithError(writeForm(form, file)) }()
	sent, err := call(http.MethodPost, b.url+"/v1/files", form.FormDataContentType(), body)
	if err != nil {
		return err
	}
	request := fmt.Sprintf(`{"input_file_id":%q,"endpoint":"/v1/chat/completions","completion_window":"24h"}`,
		sent.ID)
	begun, err := call(http.MethodPost, b.url+"/v1/batches", "application/json",
		strings.NewReader(request))
	if err != nil {
		return err
	}
	b.id = begun.ID
	return nil
}

func writeForm(form *multipart.Writer, file io.Reader) error {
	if err := form.WriteField("purpose", "batch"); err != nil {
		return err
	}
	part, err := form.CreateFormFile("file", "in.jsonl")
	if err != nil {
		return err
	}
	if _, err := io.Copy(part, file); err != nil {
		return err
	}
	return form.Close()
}

// end waits until the batch has ended, and checks its answers.
func (b *batch) end(gateway *process) error {
	for deadline := time.Now().Add(endLimit); time.Now().Before(
		deadline); time.Sleep(200 * time.Millisecond) {
		now, err := call(http.MethodGet, b.url+"/v1/batches/"+b.id, "", nil)
		if err != nil {
			return fmt.Errorf("%w\n%s", err, gateway.output)
		}
		switch now.Status {
		case "completed":
			return b.check(now.OutputFile)
		case "failed", "expired", "cancelled":
			return errors.New("the batch is " + now.Status)
		}
	}
	return errors.New("the batch does not end")
}

// check downloads the answers, and holds them to one for each line.
func (b *batch) check(file string) error {
	reply, err := http.Get(b.url + "/v1/files/" + file + "/content")
	if err != nil {
		return err
	}
	defer reply.Body.Close()
	answers := filepath.Join(b.folder, "out.jsonl")
	out, err := os.Create(answers)
	if err != nil {
		return err
	}
	defer out.Close()
	if _, err := io.Copy(out, reply.Body); err != nil {
		return err
	}
	_, err = check(answers, filepath.Join(b.folder, "none"), b.lines)
	return err
}

// call makes a call of the gateway's.
func call(method, url, contentType string, body io.Reader) (*batchObject, error) {
	request, err := http.NewRequest(method, url, body)
	if err != nil {
		return nil, err
	}
	if contentType != "" {
		request.Header.Set("Content-Type", contentType)
	}
	reply, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer reply.Body.Close()
	data, err := io.ReadAll(reply.Body)
	if err != nil {
		return nil, err
	}
	if reply.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s %s: %s: %s", method, url, reply.Status, data)
	}
	var out batchObject
	return &out, json.Unmarshal(data, &out)
}
