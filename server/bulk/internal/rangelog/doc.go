// Package rangelog stores the history of a range of lines as a log: which workers took it and gave
// it back, the results, and a note. A writer gives each entry the next number, and each number
// exists only once. So a worker that has lost its range to another worker cannot add anything, and
// each line has one result.
//
// An entry is the only message of a subject that ends with its number. Its kind is in a header.
//
//	claim    a worker took the range: all later entries are that worker's, until the next claim
//	begin    the worker may send more lines from now on
//	results  results of lines
//	large    the counts of a result that is too large for the log and is stored elsewhere
//	note     the executor's data for the next time, with usage that belongs to no line
//	release  the worker gave the range back, and left no call in flight
//	seal     nothing more may be added: the job was cancelled or has expired
package rangelog
