package agent

// ExtractJSONObjects cuts the JSON objects out of a buffer that is still being filled. objects are
// the complete ones at the top level, in their order and exactly as they stand in the buffer; rest
// is the buffer from the start of an object that has not ended yet, "" if there is none. To go on,
// call it again with rest and what has come since: however the bytes are split, the objects are the
// same. [Stream] does that for a reader, without starting over, and tells what it skips.
//
// An object begins at a brace and ends where its braces balance, braces within strings not counted.
// Line breaks between values mean nothing, and what stands between objects is skipped, whatever it
// is: line feeds, the brackets and commas of a list, log lines with quotes, backslashes or braces
// in them. Objects need not be valid JSON, but a brace begins none, and is skipped as text, when
// what follows it shows that
//
//   - neither "}" nor a name in quotes and a colon come next, white space aside: the search goes on
//     right behind the brace;
//   - a line feed stands in a string, or a string or an object begins where JSON has no value, such
//     as right behind another: this is an object that was cut off, by the end of its line or by the
//     next object. It is skipped up to there with all that is in it, and the search goes on there.
//
// So whatever precedes a line of text, at most one object of those on the lines after it is lost to
// it: the one that stands where a cut-off object lacks a value.
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
