package requestcheck

// The names of the rules. Package gemini lists them for users.
const (
	ruleRequired   = "required"    // a member is missing, or empty
	ruleOneOf      = "oneof"       // the value is unknown
	ruleFormat     = "format"      // the text does not have the required form
	ruleJSONObject = "json_object" // the value is not a JSON object
	ruleType       = "type"        // a schema does not have the required type
	ruleRange      = "range"       // a number is too small or too large
	ruleMax        = "max"         // there are too many elements, characters or levels
	ruleUnique     = "unique"      // a duplicate name
	ruleOneMember  = "one_member"  // exactly one of several members must be set
	ruleExcluded   = "excluded"    // another member excludes this one
	ruleNeeds      = "needs"       // this member requires another member
	ruleDeclared   = "declared"    // a name refers to nothing
	ruleTurns      = "turns"       // the API does not accept the order of the turns
	ruleAnswers    = "answers"     // calls and answers do not pair
	ruleSignature  = "signature"   // a thought signature is missing
	ruleUnknown    = "unknown"     // the API has no such member
	ruleBackend    = "backend"     // only the other backend has this
	ruleModel      = "model"       // the model does not accept this
)
