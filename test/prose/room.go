package main

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// cleanList is the file that lists the clean rooms, relative to the root.
const cleanList = ".vale/clean.txt"

// readClean returns the rooms in which a finding of level error fails the check: a path per line.
// Lines that begin with # are comments. A room that does not exist is an error.
func readClean(root string) ([]string, error) {
	content, err := os.ReadFile(filepath.Join(root, cleanList))
	if err != nil {
		return nil, err
	}
	var rooms []string
	lines := bufio.NewScanner(bytes.NewReader(content))
	for number := 1; lines.Scan(); number++ {
		room := strings.TrimSpace(lines.Text())
		if room == "" || strings.HasPrefix(room, "#") {
			continue
		}
		room = path.Clean(room)
		if _, err := os.Stat(filepath.Join(root, room)); err != nil {
			return nil, fmt.Errorf("%s:%d: %q does not exist; remove the line or correct it",
				cleanList, number, room)
		}
		rooms = append(rooms, room)
	}
	return rooms, lines.Err()
}

// within reports whether a file is a room, or is in one.
func within(file string, rooms []string) bool {
	return slices.ContainsFunc(rooms, func(room string) bool {
		return room == "." || file == room || strings.HasPrefix(file, room+"/")
	})
}

// roomOf returns the room that a file is counted for: its folder, of at most two levels.
func roomOf(file string) string {
	folders := strings.Split(path.Dir(file), "/")
	return path.Join(folders[:min(2, len(folders))]...)
}

// sources returns the files that have prose, as git lists them.
func sources(root string) ([]string, error) {
	command := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	command.Dir = root
	output, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("list the files by git: %w", err)
	}
	var files []string
	for f := range strings.SplitSeq(string(output), "\x00") {
		if f != "" && hasProse(f) {
			files = append(files, f)
		}
	}
	slices.Sort(files)
	return slices.Compact(files), nil
}

// hasProse reports whether a file has prose of ours. Generated code, test data and the built page
// of the inspector have none.
func hasProse(file string) bool {
	for _, folder := range strings.Split(path.Dir(file), "/") {
		switch folder {
		case "gen", "testdata", "node_modules", "dist", "golden":
			return false
		}
	}
	switch path.Ext(file) {
	case ".md", ".go":
		return true
	case ".ts", ".html":
		return strings.HasPrefix(file, "server/inspector/page/")
	}
	return false
}
