package requestcheck

import "reflect"

// EnumValues is the table of what requests may hold, by the name of an enum's type.
func EnumValues() map[string]string { return enumValues }

// ExclusiveMember is a member that one backend alone has.
type ExclusiveMember struct {
	Message, Member string
	VertexAI        bool
}

// ExclusiveMembers returns the tables of such members as one.
func ExclusiveMembers() []ExclusiveMember {
	var all []ExclusiveMember
	all = appendExclusives(all, requestExclusives)
	all = appendExclusives(all, partExclusives)
	all = appendExclusives(all, toolCallExclusives)
	all = appendExclusives(all, blobExclusives)
	all = appendExclusives(all, fileDataExclusives)
	all = appendExclusives(all, functionCallExclusives)
	all = appendExclusives(all, functionResponseExclusives)
	all = appendExclusives(all, functionResponsePartExclusives)
	all = appendExclusives(all, functionResponseBlobExclusives)
	all = appendExclusives(all, toolExclusives)
	all = appendExclusives(all, googleMapsExclusives)
	all = appendExclusives(all, googleSearchExclusives)
	all = appendExclusives(all, schemaExclusives)
	all = appendExclusives(all, toolConfigExclusives)
	all = appendExclusives(all, functionCallingConfigExclusives)
	all = appendExclusives(all, safetySettingExclusives)
	all = appendExclusives(all, generationConfigExclusives)
	all = appendExclusives(all, imageConfigExclusives)
	all = appendExclusives(all, responseFormatExclusives)
	all = appendExclusives(all, voiceConfigExclusives)
	return appendExclusives(all, replicatedVoiceExclusives)
}

func appendExclusives[T any](all []ExclusiveMember, members []exclusive[T]) []ExclusiveMember {
	for _, m := range members {
		all = append(all, ExclusiveMember{reflect.TypeFor[T]().Name(), m.member, m.only == VertexAI})
	}
	return all
}
