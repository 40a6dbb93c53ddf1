package inspector

// ProgressOf returns the progress history of a job, for tests: a bubble of testing/synctest has no
// server to ask.
func ProgressOf(i *Inspector, id string) [][3]int64 {
	var out [][3]int64
	for _, point := range i.progress.of(id) {
		out = append(out, point)
	}
	return out
}
