// Package rangelog keeps what happens to a range of lines as a log of its own: who took it and gave
// it back, the results, and a note. Whoever adds an entry says which number it has, and there is
// only one entry of a number. So a worker that has lost its range to another cannot add anything,
// and each line has one result.
//
// An entry is the only message of a subject that ends in its number. Its kind is in a header.
//
//	claim    a worker took the range: all entries behind it are by that worker, until the next claim
//	results  results of lines
//	large    what counts of a result that is too large for the log, and is elsewhere
//	note     what the executor wants to know the next time, with what answers have used that no line has
//	release  the worker gave the range back, and left no call under way
//	seal     nothing more may be added: the job was cancelled or has expired
package rangelog
