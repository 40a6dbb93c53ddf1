package requestcheck

import (
	"fmt"
	"strings"
)

// enum is a type of the wire that lists its values.
type enum interface {
	~string
	Valid() bool
}

// checkEnum reports a value that is none of an enum's. The backends refuse names that they do not know,
// but take any letter case, and numbers, which only they can judge.
func checkEnum[E enum](v *checker, up *location, name string, value *E) {
	if value != nil && !(*value).Valid() {
		at := up.member(name)
		reportEnum(v, &at, *value)
	}
}

// checkElement is checkEnum for an element of a list.
func checkElement[E enum](v *checker, at *location, value *E) {
	if !(*value).Valid() {
		reportEnum(v, at, *value)
	}
}

func reportEnum[E enum](v *checker, at *location, value E) {
	text := string(value)
	if E(strings.ToUpper(text)).Valid() || E(strings.ToLower(text)).Valid() || isDigits(text) {
		return
	}
	message := quote(text) + " is no value of this enum; must be one of " + enumValues[strings.TrimPrefix(fmt.Sprintf("%T", value), "geminiapi.")]
	v.report(at, ruleOneOf, shortString(text), message)
}

func isDigits(text string) bool {
	return text != "" && strings.Trim(text, "0123456789") == ""
}

// isEnum reports whether a member holds a value, in any letter case.
func isEnum[E ~string](value *E, want E) bool {
	return value != nil && (*value == want || strings.EqualFold(string(*value), string(want)))
}

// enumValues are the values that a request may hold of each enum, by the name of the enum's type. Those
// that stand for no value are left out, and the harm categories of PaLM models.
var enumValues = map[string]string{
	"APISpec":                    "SIMPLE_SEARCH, ELASTIC_SEARCH",
	"AudioMIMEType":              "AUDIO_MP3, AUDIO_OGG_OPUS, AUDIO_L16, AUDIO_WAV, AUDIO_ALAW, AUDIO_MULAW",
	"AudioTranscriptionMode":     "VERBATIM, SMART",
	"AuthType":                   "NO_AUTH, API_KEY_AUTH, HTTP_BASIC_AUTH, GOOGLE_SERVICE_ACCOUNT_AUTH, OAUTH, OIDC_AUTH",
	"CodeExecutionOutcome":       "OUTCOME_OK, OUTCOME_FAILED, OUTCOME_DEADLINE_EXCEEDED",
	"CodeLanguage":               "PYTHON",
	"ComputerUseEnvironment":     "ENVIRONMENT_BROWSER, ENVIRONMENT_MOBILE, ENVIRONMENT_DESKTOP",
	"Delivery":                   "INLINE, URI",
	"DynamicRetrievalMode":       "MODE_DYNAMIC",
	"FeatureSelectionPreference": "PRIORITIZE_QUALITY, BALANCED, PRIORITIZE_COST",
	"FunctionBehavior":           "BLOCKING, NON_BLOCKING",
	"FunctionCallingMode":        "AUTO, ANY, NONE, VALIDATED",
	"FunctionResponseScheduling": "SILENT, WHEN_IDLE, INTERRUPT",
	"HTTPElementLocation":        "HTTP_IN_QUERY, HTTP_IN_HEADER, HTTP_IN_PATH, HTTP_IN_BODY, HTTP_IN_COOKIE",
	"HarmBlockMethod":            "SEVERITY, PROBABILITY",
	"HarmBlockThreshold":         "BLOCK_LOW_AND_ABOVE, BLOCK_MEDIUM_AND_ABOVE, BLOCK_ONLY_HIGH, BLOCK_NONE, OFF",
	"HarmCategory":               "HARM_CATEGORY_HARASSMENT, HARM_CATEGORY_HATE_SPEECH, HARM_CATEGORY_SEXUALLY_EXPLICIT, HARM_CATEGORY_DANGEROUS_CONTENT, HARM_CATEGORY_CIVIC_INTEGRITY, HARM_CATEGORY_JAILBREAK, HARM_CATEGORY_IMAGE_HATE, HARM_CATEGORY_IMAGE_DANGEROUS_CONTENT, HARM_CATEGORY_IMAGE_HARASSMENT, HARM_CATEGORY_IMAGE_SEXUALLY_EXPLICIT",
	"ImageAspectRatio":           "ASPECT_RATIO_ONE_BY_ONE, ASPECT_RATIO_TWO_BY_THREE, ASPECT_RATIO_THREE_BY_TWO, ASPECT_RATIO_THREE_BY_FOUR, ASPECT_RATIO_FOUR_BY_THREE, ASPECT_RATIO_FOUR_BY_FIVE, ASPECT_RATIO_FIVE_BY_FOUR, ASPECT_RATIO_NINE_BY_SIXTEEN, ASPECT_RATIO_SIXTEEN_BY_NINE, ASPECT_RATIO_TWENTY_ONE_BY_NINE, ASPECT_RATIO_ONE_BY_EIGHT, ASPECT_RATIO_EIGHT_BY_ONE, ASPECT_RATIO_ONE_BY_FOUR, ASPECT_RATIO_FOUR_BY_ONE",
	"ImageMIMEType":              "IMAGE_JPEG",
	"ImageSize":                  "IMAGE_SIZE_FIVE_TWELVE, IMAGE_SIZE_ONE_K, IMAGE_SIZE_TWO_K, IMAGE_SIZE_FOUR_K",
	"MediaProcessing":            "STATIC, AGENTIC",
	"MediaResolution":            "MEDIA_RESOLUTION_LOW, MEDIA_RESOLUTION_MEDIUM, MEDIA_RESOLUTION_HIGH",
	"ModelRoutingPreference":     "UNKNOWN, PRIORITIZE_QUALITY, BALANCED, PRIORITIZE_COST",
	"NullValue":                  "NULL_VALUE",
	"PartMediaResolutionLevel":   "MEDIA_RESOLUTION_LOW, MEDIA_RESOLUTION_MEDIUM, MEDIA_RESOLUTION_HIGH, MEDIA_RESOLUTION_ULTRA_HIGH",
	"PersonGeneration":           "ALLOW_ALL, ALLOW_ADULT, ALLOW_NONE, DONT_ALLOW",
	"PhishBlockThreshold":        "BLOCK_LOW_AND_ABOVE, BLOCK_MEDIUM_AND_ABOVE, BLOCK_HIGH_AND_ABOVE, BLOCK_HIGHER_AND_ABOVE, BLOCK_VERY_HIGH_AND_ABOVE, BLOCK_ONLY_EXTREMELY_HIGH",
	"ProminentPeople":            "ALLOW_PROMINENT_PEOPLE, BLOCK_PROMINENT_PEOPLE",
	"ResponseModality":           "TEXT, IMAGE, AUDIO, VIDEO",
	"SafetyPolicy":               "FINANCIAL_TRANSACTIONS, SENSITIVE_DATA_MODIFICATION, COMMUNICATION_TOOL, ACCOUNT_CREATION, DATA_MODIFICATION, USER_CONSENT_MANAGEMENT, LEGAL_TERMS_AND_AGREEMENTS",
	"SchemaType":                 "STRING, NUMBER, INTEGER, BOOLEAN, ARRAY, OBJECT, NULL",
	"ServiceTier":                "standard, flex, priority",
	"TextMIMEType":               "APPLICATION_JSON, TEXT_PLAIN",
	"ThinkingLevel":              "MINIMAL, LOW, MEDIUM, HIGH",
	"ToolType":                   "GOOGLE_SEARCH_WEB, GOOGLE_SEARCH_IMAGE, URL_CONTEXT, GOOGLE_MAPS, FILE_SEARCH, MEDIA_PROCESSING",
	"VideoAspectRatio":           "ASPECT_RATIO_SIXTEEN_BY_NINE, ASPECT_RATIO_NINE_BY_SIXTEEN",
}
