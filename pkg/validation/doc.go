// Package validation holds what every check of this module answers with: an [Error] that lists each
// [Violation] with the place, the rule that is broken and what would be right.
//
//	err := gemini.ValidateRequest(request)
//	if invalid, ok := errors.AsType[*validation.Error](err); ok {
//		for _, violation := range invalid.Violations {
//			fmt.Println(violation.Pointer, violation.Rule, violation.Want)
//		}
//	}
//
// The checks themselves are normalize.Validate, openai.Validate, openai.ValidateRequest,
// gemini.ValidateRequest and, within it, structured.Parse.
package validation
