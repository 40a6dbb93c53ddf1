package engine

import "golang.org/x/sys/windows"

// diskRoom returns how many bytes the disk of a directory has left for this user, and how many it
// has at all.
func diskRoom(directory string) (free, total int64, err error) {
	path, err := windows.UTF16PtrFromString(directory)
	if err != nil {
		return 0, 0, err
	}
	var left, all uint64
	if err := windows.GetDiskFreeSpaceEx(path, &left, &all, nil); err != nil {
		return 0, 0, err
	}
	return int64(left), int64(all), nil
}
