package engine

import "golang.org/x/sys/windows"

// diskRoom returns the free bytes for this user on the disk of a directory, and the size of the
// disk.
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
