package refusal

import (
	"strconv"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/go-json-experiment/json/jsontext"
)

// UnknownMembers is the answer to a body with members that the message does not have. It is nil for
// a body without such members.
func UnknownMembers(unknown jsontext.Value) *Refusal {
	var faults []fault
	for name := range jsonx.Members(unknown) {
		faults = append(faults, unknownName(name, "", cannotFindField))
	}
	if len(faults) == 0 {
		return nil
	}
	return notReadable(faults)
}

// InvalidArgument is the answer to errors that the server does not describe.
func InvalidArgument() *Refusal {
	return New(geminiapi.ErrorStatusInvalidArgument, "Request contains an invalid argument.")
}

// UnspecifiedMember is the answer to a body without a required member, in the words of the messages
// about contents. message is the type of the body, and member the missing member.
func UnspecifiedMember(message, member string) *Refusal {
	return New(geminiapi.ErrorStatusInvalidArgument,
		"* "+message+"."+member+": "+member+" is not specified\n")
}

// ModelOfOtherForm is the answer if a member, such as "requests[0].model", is not a model name.
func ModelOfOtherForm(message, member string) *Refusal {
	return New(geminiapi.ErrorStatusInvalidArgument,
		"* "+message+"."+member+": unexpected model name format\n")
}

// TooManyRequests is the answer to more contents than one request may embed.
func TooManyRequests() *Refusal {
	return New(geminiapi.ErrorStatusInvalidArgument,
		"* BatchEmbedContentsRequest.requests: at most 100 requests can be in one batch\n")
}

// NoSuchModel is the answer to a request for the description of a model that does not exist.
func NoSuchModel(name, version string) *Refusal {
	return New(geminiapi.ErrorStatusNotFound,
		"Model is not found: "+name+" for api version "+version)
}

// NoSuchFile is the answer for a file that does not exist or belongs to another project. The server
// does not distinguish the two.
func NoSuchFile(id string) *Refusal {
	return New(geminiapi.ErrorStatusPermissionDenied,
		"You do not have permission to access the File "+id+" or it may not exist.")
}

// FileNotActive is the answer to a request with a file that is still in processing.
func FileNotActive(id string) *Refusal {
	return New(geminiapi.ErrorStatusFailedPrecondition,
		"The File "+id+" is not in an ACTIVE state and usage is not allowed.")
}

// FileNotDownloadable is the answer to the download of an uploaded file. The real words are not
// recorded.
func FileNotDownloadable() *Refusal {
	return New(geminiapi.ErrorStatusInvalidArgument, "Only generated files can be downloaded.")
}

// NoSuchCache is the answer for a cached content that does not exist, has expired or belongs to
// another project.
func NoSuchCache() *Refusal {
	return New(geminiapi.ErrorStatusPermissionDenied,
		"CachedContent not found (or permission denied)")
}

// CacheTooSmall is the answer to contents that are too small to cache.
func CacheTooSmall(tokens, least int) *Refusal {
	return New(geminiapi.ErrorStatusInvalidArgument,
		"Cached content is too small. total_token_count="+strconv.Itoa(tokens)+
			", min_total_token_count="+strconv.Itoa(least))
}

// CacheOfOtherModel is the answer to a request whose model differs from the model of its cache.
func CacheOfOtherModel(model, cached string) *Refusal {
	return New(geminiapi.ErrorStatusInvalidArgument,
		"Model used by GenerateContent request ("+model+") and CachedContent ("+cached+
			") has to be the same.")
}

// FileIDOfOtherForm is the answer to a new file with an invalid name.
func FileIDOfOtherForm() *Refusal {
	return New(geminiapi.ErrorStatusInvalidArgument,
		"* CreateFileRequest.file.name: File name may only contain lowercase alphanumeric "+
			"characters or dashes (-) and cannot begin or end with a dash.\n")
}

// FileExists is the answer to a new file whose name is already used.
func FileExists(id string) *Refusal {
	return New(geminiapi.ErrorStatusAlreadyExists, "Requested entity already exists: files/"+id)
}
