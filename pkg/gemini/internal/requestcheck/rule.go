package requestcheck

// The names of the rules. Package gemini lists them for users.
const (
	ruleRequired   = "required"    // a member is missing, or empty
	ruleOneOf      = "oneof"       // the value is none of those that are known
	ruleFormat     = "format"      // the text is not of the form that is wanted
	ruleJSONObject = "json_object" // the value is no JSON object
	ruleType       = "type"        // a schema is not of the type that is wanted
	ruleRange      = "range"       // a number is too small or too large
	ruleMax        = "max"         // there are too many elements, characters or levels
	ruleUnique     = "unique"      // something is named twice
	ruleOneMember  = "one_member"  // of several members one is to be set
	ruleExcluded   = "excluded"    // another member excludes this one
	ruleNeeds      = "needs"       // this member goes only with another
	ruleDeclared   = "declared"    // a name refers to nothing
	ruleTurns      = "turns"       // turns follow each other in another order than the API takes
	ruleAnswers    = "answers"     // calls and answers to them do not pair
	ruleSignature  = "signature"   // a thought signature is missing
	ruleUnknown    = "unknown"     // the API has no such member
	ruleBackend    = "backend"     // only the other backend has this
	ruleModel      = "model"       // the model does not take this
)
