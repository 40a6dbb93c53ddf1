package refusal

import (
	"strconv"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/go-json-experiment/json/jsontext"
)

// UnknownMembers is the answer to a body with members that the message does not have. It is nil for
// none.
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

// InvalidArgument is the answer to what is wrong in a way that the server does not name.
func InvalidArgument() *Refusal {
	return New(geminiapi.ErrorStatusInvalidArgument, "Request contains an invalid argument.")
}

// UnspecifiedMember is the answer to a body without something that must be there, in the words of
// the messages on contents: message is the name of the body's type, member that of the member in
// it.
func UnspecifiedMember(message, member string) *Refusal {
	return New(geminiapi.ErrorStatusInvalidArgument,
		"* "+message+"."+member+": "+member+" is not specified\n")
}

// ModelOfOtherForm is the answer to a member that names a model in no form, such as
// "requests[0].model".
func ModelOfOtherForm(message, member string) *Refusal {
	return New(geminiapi.ErrorStatusInvalidArgument,
		"* "+message+"."+member+": unexpected model name format\n")
}

// TooManyRequests is the answer to more contents than can be embedded at once.
func TooManyRequests() *Refusal {
	return New(geminiapi.ErrorStatusInvalidArgument,
		"* BatchEmbedContentsRequest.requests: at most 100 requests can be in one batch\n")
}

// NoSuchModel is the answer to who asks what a model is that does not exist.
func NoSuchModel(name, version string) *Refusal {
	return New(geminiapi.ErrorStatusNotFound,
		"Model is not found: "+name+" for api version "+version)
}

// NoSuchFile is the answer to a file that does not exist, or is another project's: the server tells
// neither.
func NoSuchFile(id string) *Refusal {
	return New(geminiapi.ErrorStatusPermissionDenied,
		"You do not have permission to access the File "+id+" or it may not exist.")
}

// FileNotActive is the answer to a request that refers to a file which is not processed yet.
func FileNotActive(id string) *Refusal {
	return New(geminiapi.ErrorStatusFailedPrecondition,
		"The File "+id+" is not in an ACTIVE state and usage is not allowed.")
}

// FileNotDownloadable is the answer to the download of an uploaded file. Its words are not
// recorded.
func FileNotDownloadable() *Refusal {
	return New(geminiapi.ErrorStatusInvalidArgument, "Only generated files can be downloaded.")
}

// NoSuchCache is the answer to a cached content that does not exist, has expired or is another
// project's.
func NoSuchCache() *Refusal {
	return New(geminiapi.ErrorStatusPermissionDenied,
		"CachedContent not found (or permission denied)")
}

// CacheTooSmall is the answer to contents that are too small to be cached.
func CacheTooSmall(tokens, least int) *Refusal {
	return New(geminiapi.ErrorStatusInvalidArgument,
		"Cached content is too small. total_token_count="+strconv.Itoa(tokens)+
			", min_total_token_count="+strconv.Itoa(least))
}

// CacheOfOtherModel is the answer to a request to another model than the cache it names is for.
func CacheOfOtherModel(model, cached string) *Refusal {
	return New(geminiapi.ErrorStatusInvalidArgument,
		"Model used by GenerateContent request ("+model+") and CachedContent ("+cached+
			") has to be the same.")
}

// FileIDOfOtherForm is the answer to the name of a file that is to be made in a form that no file
// has.
func FileIDOfOtherForm() *Refusal {
	return New(geminiapi.ErrorStatusInvalidArgument,
		"* CreateFileRequest.file.name: File name may only contain lowercase alphanumeric "+
			"characters or dashes (-) and cannot begin or end with a dash.\n")
}

// FileExists is the answer to the name of a file that is there already.
func FileExists(id string) *Refusal {
	return New(geminiapi.ErrorStatusAlreadyExists, "Requested entity already exists: files/"+id)
}
