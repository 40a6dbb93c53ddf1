//go:build linux || darwin

package engine

import "golang.org/x/sys/unix"

// diskRoom returns how many bytes the disk of a directory has left for this user, and how many it
// has at all.
func diskRoom(directory string) (free, total int64, err error) {
	var stat unix.Statfs_t
	if err := unix.Statfs(directory, &stat); err != nil {
		return 0, 0, err
	}
	size := int64(stat.Bsize)
	return int64(stat.Bavail) * size, int64(stat.Blocks) * size, nil
}
