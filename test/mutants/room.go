package main

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// room is a folder whose packages are tested together.
type room struct {
	name   string
	folder string // below the module's root, with slashes
}

// rooms are the parts of the module that are measured. A folder inside another one is a room of its
// own.
var rooms = []room{
	{"normalize", "pkg/normalize"},
	{"gemini", "pkg/gemini"},
	{"openai", "pkg/transform/chat"},
	{"reverse", "pkg/transform/chat/reverse"},
	{"responses", "pkg/transform/responses"},
	{"messages", "pkg/transform/messages"},
	{"structured", "pkg/structured"},
	{"provider", "pkg/provider"},
	{"toolloop", "pkg/toolloop"},
	{"fakegemini", "pkg/fakegemini"},
	{"gateway", "server/gateway"},
	{"bulk", "server/bulk"},
	{"cli", "server/cli"},
}

func roomNames() []string {
	var names []string
	for _, r := range rooms {
		names = append(names, r.name)
	}
	return names
}

// roomsNamed returns the rooms of a list separated by commas, and all for "".
func roomsNamed(list string) ([]room, error) {
	if list == "" {
		return rooms, nil
	}
	var named []room
	for name := range strings.SplitSeq(list, ",") {
		i := slices.IndexFunc(rooms, func(r room) bool { return r.name == strings.TrimSpace(name) })
		if i < 0 {
			return nil, fmt.Errorf("%q is not a room; use %s", name,
				strings.Join(roomNames(), ", "))
		}
		named = append(named, rooms[i])
	}
	return named, nil
}

// roomOf returns the innermost room that a file is in.
func roomOf(file string) (room, error) {
	for folder := path.Dir(file); folder != "."; folder = path.Dir(folder) {
		if i := slices.IndexFunc(rooms, func(r room) bool { return r.folder == folder }); i >= 0 {
			return rooms[i], nil
		}
	}
	return room{}, fmt.Errorf("%s is in no room; a room is a row in test/mutants/room.go", file)
}

// has reports whether a file is in r, and not in a room inside r.
func (r room) has(file string) bool {
	innermost, err := roomOf(file)
	return err == nil && innermost == r
}
