package quota

// Kill ends a quota without a last write.
func Kill(q *Quota) {
	q.stop()
	<-q.done
}
