package inspector

// ProgressOf returns how a job went on, for tests: in a bubble of testing/synctest there is no
// server to ask.
func ProgressOf(i *Inspector, id string) [][3]int64 {
	var out [][3]int64
	for _, point := range i.progress.of(id) {
		out = append(out, point)
	}
	return out
}
