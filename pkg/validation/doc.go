// Package validation defines the error that gemwire returns for an invalid request or answer. An
// [Error] lists each [Violation] with its location, the broken rule and the expected value.
//
//	err := gemini.ValidateRequest(request)
//	if invalid, ok := errors.AsType[*validation.Error](err); ok {
//		for _, violation := range invalid.Violations {
//			fmt.Println(violation.Pointer, violation.Rule, violation.Want)
//		}
//	}
//
// The functions Validate... of the packages gemini, openai, openai/responses, anthropic,
// interactions and normalize check requests and decoded answers. CheckResponse and CheckStream of
// the first five check the bytes of an answer, and return violations of both severities. Package
// structured checks the answers of a model.
package validation
