package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"
)

// outcome counts the results in the two files of a job.
type outcome struct{ answered, failed int }

// check checks that the files of a job have exactly one result for each of the lines.
func check(answers, failures string, lines int) (outcome, error) {
	seen := make([]bool, lines)
	var out outcome
	var err error
	if out.answered, err = checkFile(answers, seen); err != nil {
		return out, err
	}
	if out.failed, err = checkFile(failures, seen); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return out, err
	}
	for i, has := range seen {
		if !has {
			return out, fmt.Errorf("line %d has no result", i)
		}
	}
	return out, nil
}

// checkFile reads the results of a file, and notes whose they are.
func checkFile(path string, seen []bool) (count int, err error) {
	file, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	for in := bufio.NewReaderSize(file, 1<<20); ; count++ {
		text, err := in.ReadBytes('\n')
		if errors.Is(err, io.EOF) && len(text) == 0 {
			return count, nil
		}
		if err != nil {
			return count, fmt.Errorf("%s: the last line is cut off: %w", path, err)
		}
		var line struct {
			CustomID string `json:"custom_id"`
		}
		if err := json.Unmarshal(text, &line); err != nil {
			return count, fmt.Errorf("%s: line %d: %w", path, count+1, err)
		}
		i, err := strconv.Atoi(line.CustomID)
		if err != nil || i < 0 || i >= len(seen) {
			return count,
				fmt.Errorf("%s: line %d is of %q, which was not asked", path, count+1,
					line.CustomID)
		}
		if seen[i] {
			return count, fmt.Errorf("%s: line %d is the second result of %d", path, count+1, i)
		}
		seen[i] = true
	}
}
