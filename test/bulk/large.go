package main

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// lineSize is how large the lines of a large input are.
const lineSize = 1 << 20

// tryInput has an input answered that is larger than any memory, in lines of 1 MB each. The folder
// needs room for it twice: for the file, and for what the store has of it.
func tryInput(p *plan) error {
	folder, err := p.dir("input")
	if err != nil {
		return err
	}
	in, out := filepath.Join(folder, "in.jsonl"), filepath.Join(folder, "out.jsonl")
	lines := p.gigabytes << 30 / lineSize
	if err := writeLargeInput(in, lines); err != nil {
		return err
	}
	began := time.Now()
	running, err := start(nil, p.command, "batch", "run", in, "--out", out, "--store",
		filepath.Join(folder, "store"), "--upstream", "embedded")
	if err != nil {
		return err
	}
	highest := watchMemory(running)
	if err := endOf(running); err != nil {
		return err
	}
	took := time.Since(began)
	if _, err := check(out, filepath.Join(folder, "out.errors.jsonl"), lines); err != nil {
		return err
	}
	fmt.Printf("- %d GB in %d lines in %s: each answered once\n", p.gigabytes, lines,
		took.Round(time.Second))
	return holdMemory(<-highest, mostMemoryOfLargeLines)
}

// writeLargeInput writes lines with an image of nearly the whole size each.
func writeLargeInput(path string, lines int) (err error) {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close()
	out := bufio.NewWriterSize(file, 1<<20)
	image := strings.Repeat("iVBORw0K", (lineSize-300)/8)
	for i := range lines {
		fmt.Fprintf(out,
			`{"custom_id":"%d","method":"POST","url":"/v1/chat/completions","body":{"model":"gemini-3.6-flash","messages":[{"role":"user","content":[{"type":"text","text":"what is in image %d?"},{"type":"image_url","image_url":{"url":"data:image/png;base64,%s"}}]}]}}`+
				"\n", i, i, image)
	}
	return out.Flush()
}
