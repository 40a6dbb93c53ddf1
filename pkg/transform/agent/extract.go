package agent

// ExtractJSONObjects cuts the JSON objects out of a buffer that is still being filled. objects are
// the complete top-level objects, in order and exactly as in the buffer. rest is the buffer from
// the start of an incomplete object, or "". To continue, call it again with rest and the next
// input. The objects do not depend on how the bytes are split. [Stream] does this for a reader
// without rescanning, and reports what it skips.
//
// An object starts at a brace and ends where its braces balance; braces in strings do not count.
// Line breaks between values have no meaning. Everything between objects is skipped: line feeds,
// brackets and commas of a list, and log lines with quotes, backslashes or braces. Objects need not
// be valid JSON. But a brace does not start an object, and is skipped as text, in these cases:
//
//   - It is followed neither by "}" nor by a quoted name and a colon, apart from white space. The
//     search continues directly after the brace.
//   - A string contains a line feed, or a string or an object starts where JSON has no value, such
//     as directly after another one. Then the object was cut off by the end of its line or by the
//     next object. It is skipped up to that point with everything in it, and the search continues
//     there.
//
// So text before a line costs at most one object on the following lines: the object that stands
// where a cut-off object lacks a value.
func ExtractJSONObjects(buffer string) (objects []string, rest string) {
	var s objectScanner
	data := []byte(buffer)
	start := 0
	for at := 0; at < len(data); {
		next, found := s.scan(data, start, at)
		switch found {
		case objectBegins:
			start = next - 1
		case objectEnds:
			objects = append(objects, buffer[start:next])
		}
		at = next
	}
	if s.open() {
		rest = buffer[start:]
	}
	return objects, rest
}
