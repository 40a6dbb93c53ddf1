package models

// Default is the model to use if a caller names none. The default of the command's -m flag, the
// gateway's first hints and every example in the documentation use it. It is generally available at
// both services, it is not an alias, and no other model answers for it.
//
// A test compares the README, docs, examples and doc comments with it. To change the default,
// change this constant, replace the name in the files that the test lists, and run the tests with
// -update.
const Default = "gemini-3.6-flash"
