package drift

import (
	"fmt"

	"github.com/gemwire/gemwire/internal/tools/specdrift/internal/openapi"
)

// acceptedDrift is the extension with which a schema or operation of ours says that it knows what it
// lacks, and why: what is missing there, by name, and the reason. Such drift is a note.
//
//	PartMediaResolution:
//	  type: object
//	  x-accepted-drift:
//	    string: the document of that month has a placeholder here
//
// The name is that of the missing property, parameter, enum value, type ("anything" included) or
// format, and {*} for map values.
const acceptedDrift = "x-accepted-drift"

// owner is what lacks something: a set of schemas, or an operation.
type owner struct {
	key    string
	values []*openapi.Value // that may carry x-accepted-drift
}

// accepts returns the reason for which the owner lacks what f reports, "" when it gives none.
func (o owner) accepts(f Finding) string {
	for _, v := range o.values {
		if reason := v.Get(acceptedDrift).Get(f.Subject()).String(); reason != "" {
			return reason
		}
	}
	return ""
}

// noteAccepted turns a finding into a note.
func (c *comparison) noteAccepted(f Finding, reason string) {
	text := string(f.Kind)
	if f.Name != "" {
		text += " " + f.Name
	}
	if f.Schema != "" {
		text += fmt.Sprintf(" (%s)", f.Schema)
	}
	c.note(f.Place, text+", accepted: "+reason)
}
