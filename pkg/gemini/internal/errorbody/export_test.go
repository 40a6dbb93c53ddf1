package errorbody

// BlankKeys is blankKeys, which tests hold to an expression.
var BlankKeys = blankKeys
