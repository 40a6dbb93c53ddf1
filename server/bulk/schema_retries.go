package bulk

import "strconv"

// SettingSchemaRetries is the setting of a job that has its answers checked against the schemas of
// their requests. Its value is the number of times that a line is sent again if its answer does not
// fit, for example "1". See [Job.SchemaRetries].
const SettingSchemaRetries = "schema_retries"

// MaxSchemaRetries is the maximum of [SettingSchemaRetries], because each retry costs as much as
// the first call.
const MaxSchemaRetries = 10

// SchemaRetries returns how many times a line is sent again if its answer does not fit the schema
// of its request. It reports false for a job whose answers are not checked.
func (j *Job) SchemaRetries() (n int, isChecked bool) {
	n, err := strconv.Atoi(j.Settings[SettingSchemaRetries])
	if err != nil || n < 0 {
		return 0, false
	}
	return min(n, MaxSchemaRetries), true
}
