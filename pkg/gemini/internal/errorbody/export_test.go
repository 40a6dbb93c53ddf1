package errorbody

// BlankKeys is blankKeys, which tests compare with a regular expression.
var BlankKeys = blankKeys
