package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"
)

// writeInput writes lines, each with a prompt of size bytes.
func writeInput(path string, lines, size int) (err error) {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(file)
	words := strings.Repeat("evaluate ", size/len("evaluate ")+1)[:size]
	for i := range lines {
		fmt.Fprintf(out,
			`{"custom_id":"%d","method":"POST","url":"/v1/chat/completions","body":{"model":"gemini-3.6-flash","messages":[{"role":"user","content":"%d %s"}]}}`+
				"\n", i, i, words)
	}
	if err := out.Flush(); err != nil {
		return err
	}
	return file.Close()
}

// faults is the script of the fake server's faults: bursts of 429, 500, 503, cuts in the middle,
// and stalls.
const faults = `seed: 7
fixtures:
  - {match: {chance: 0.02}, reply: [{fault: {kind: rateLimited, retryDelay: 100ms}}]}
  - {match: {chance: 0.01}, reply: [{fault: {kind: internal}}]}
  - {match: {chance: 0.01}, reply: [{fault: {kind: unavailable}}]}
  - {match: {chance: 0.005}, reply: [{text: half}, {fault: {kind: cut}}]}
  - {match: {chance: 0.005}, reply: [{fault: {kind: reset}}]}
  - {match: {chance: 0.001}, reply: [{pause: 3s}, {text: at last}]}
  - {reply: answered}
`
