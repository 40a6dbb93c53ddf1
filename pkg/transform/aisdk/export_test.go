package aisdk

// Looks returns how many bytes an extractor has looked at; one that it looked at twice counts twice.
func (x *Extractor) Looks() int { return x.scanner.looks }
