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
// Requests and decoded answers are checked by the functions Validate... of the packages gemini,
// openai, openai/responses, anthropic and normalize. CheckResponse and CheckStream of the first
// four check the bytes of an answer as they came, and return violations of both severities. Package
// structured checks what a model answered.
package validation
