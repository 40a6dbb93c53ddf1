package main

import (
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// What the trial of scale holds to.
const (
	mostMemory = 200 << 20
	resumeTime = 5 * time.Second
	// mostMemoryOfLargeLines has room for the calls in flight, each of which holds its line in
	// several forms.
	mostMemoryOfLargeLines = 320 << 20
)

// tryScale runs many lines of 1 KB against the built-in fake server. It kills the command in the
// middle, and measures how soon the command continues after a restart.
func tryScale(p *plan) error {
	folder, err := p.dir("scale")
	if err != nil {
		return err
	}
	in, out, store := filepath.Join(folder, "in.jsonl"), filepath.Join(folder, "out.jsonl"),
		filepath.Join(folder, "store")
	if err := writeInput(in, p.scale, 900); err != nil {
		return err
	}
	args := []string{"batch", "run", in, "--out", out, "--store", store, "--upstream", "embedded"}
	began := time.Now()
	running, err := start(nil, p.command, args...)
	if err != nil {
		return err
	}
	highest := watchMemory(running)
	time.Sleep(20 * time.Second)
	running.kill()
	first := <-highest
	size := folderSize(store)
	again := time.Now()
	if running, err = start(nil, p.command, args...); err != nil {
		return err
	}
	highest = watchMemory(running)
	resumed, err := waitForGrowth(store, size, running)
	if err != nil {
		return err
	}
	fmt.Printf("- continues %s after its restart; limit %s\n",
		resumed.Sub(again).Round(10*time.Millisecond), resumeTime)
	if err := endOf(running); err != nil {
		return err
	}
	second := <-highest
	result, err := check(out, filepath.Join(folder, "out.errors.jsonl"), p.scale)
	if err != nil {
		return err
	}
	took := time.Since(began)
	fmt.Printf("- %d lines of 1 KB in %s, %.0f a second: %d answered, %d failed, each once\n",
		p.scale, took.Round(time.Second), float64(p.scale)/took.Seconds(), result.answered,
		result.failed)
	fmt.Printf("- memory at most %d MB; limit %d MB\n", max(first, second)>>20,
		int64(mostMemory)>>20)
	if max(first, second) > mostMemory {
		return fmt.Errorf("%d MB of memory", max(first, second)>>20)
	}
	if resumed.Sub(again) > resumeTime {
		return fmt.Errorf("the command continues only after %s", resumed.Sub(again))
	}
	return nil
}

// watchMemory measures the memory of a process until it ends, and then sends the maximum.
func watchMemory(p *process) <-chan int64 {
	out := make(chan int64, 1)
	go func() {
		most := int64(0)
		for {
			most = max(most, p.memory())
			select {
			case <-p.done:
				out <- most
				return
			case <-time.After(100 * time.Millisecond):
			}
		}
	}()
	return out
}

// folderSize is how many bytes the files of a folder have.
func folderSize(folder string) (size int64) {
	_ = filepath.Walk(folder, func(_ string, info os.FileInfo, err error) error {
		if err == nil && !info.IsDir() {
			size += info.Size()
		}
		return nil
	})
	return size
}

// waitForGrowth waits until more is written to a folder, and returns when that was.
func waitForGrowth(folder string, from int64, running *process) (time.Time, error) {
	for deadline := time.Now().Add(time.Minute); time.Now().Before(
		deadline); time.Sleep(20 * time.Millisecond) {
		if folderSize(folder) > from+64<<10 {
			return time.Now(), nil
		}
		select {
		case <-running.done:
			return time.Time{}, fmt.Errorf("it has ended\n%s", running.output)
		default:
		}
	}
	return time.Time{}, fmt.Errorf("the command does not continue\n%s", running.output)
}
