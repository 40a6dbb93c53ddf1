//go:build linux || darwin

package engine

import "golang.org/x/sys/unix"

// diskRoom returns the free bytes for this user on the disk of a directory, and the size of the
// disk.
func diskRoom(directory string) (free, total int64, err error) {
	var stat unix.Statfs_t
	if err := unix.Statfs(directory, &stat); err != nil {
		return 0, 0, err
	}
	size := int64(stat.Bsize)
	return int64(stat.Bavail) * size, int64(stat.Blocks) * size, nil
}
