package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// diskSize returns the size of the disk that becomes full. For each line the disk stores the
// request, the answer and a location in the file of answers. It stores all of them once more while
// the file is made.
func diskSize(lines int) int { return 96<<20 + lines*6<<10 }

func tryFullDisk(p *plan) error {
	disk, err := p.dir("disk")
	if err != nil {
		return err
	}
	lines := max(p.lines/2, 1000)
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0,
		fmt.Sprintf("size=%d", diskSize(lines))); err != nil {
		fmt.Printf("- not tried: a disk of its own needs root: %v\n", err)
		return nil
	}
	defer func() { _ = syscall.Unmount(disk, syscall.MNT_DETACH) }()
	j, err := p.newJob("full", lines, 100)
	if err != nil {
		return err
	}
	defer j.upstream.end()
	j.store = filepath.Join(disk, "store")
	running, err := j.start(p)
	if err != nil {
		return err
	}
	time.Sleep(3 * time.Second)
	filler := filepath.Join(disk, "filler")
	if err := fill(filler); err != nil {
		return err
	}
	select { // it may end, or wait for room
	case <-running.done:
		fmt.Printf("- when the disk is full the command ends: %s\n", lastLine(running))
	case <-time.After(15 * time.Second):
		fmt.Printf("- when the disk is full the command waits: %s\n", lastLine(running))
	}
	if err := os.Remove(filler); err != nil {
		return err
	}
	select {
	case <-running.done:
		if running, err = j.start(p); err != nil {
			return err
		}
	default:
	}
	if err := endOf(running); err != nil {
		return err
	}
	result, err := check(j.out, j.failures, lines)
	if err != nil {
		return err
	}
	fmt.Printf("- holds: %d lines: %d answered, %d failed, each once\n", lines, result.answered,
		result.failed)
	return nil
}

// fill writes until there is no room any more.
func fill(path string) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close()
	block := make([]byte, 64<<10)
	for size := len(block); size > 0; {
		if _, err := file.Write(block[:size]); errors.Is(err, syscall.ENOSPC) {
			size /= 2
		} else if err != nil {
			return err
		}
	}
	return nil
}
