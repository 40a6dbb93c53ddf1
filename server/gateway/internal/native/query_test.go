package native_test

import (
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/server/gateway/internal/native"
)

func operationOf(t testing.TB, path string) native.Operation {
	t.Helper()
	op, err := native.OperationOf(path)
	if err != nil {
		t.Fatal(err)
	}
	return op
}

func TestTheParametersOfEachPathPass(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"/v1beta/models/m:streamGenerateContent?alt=sse&key=secret":                 "alt=sse",
		"/v1beta/models/m:generateContent?%24alt=json%3Benum-encoding%3Dint":        "%24alt=json%3Benum-encoding%3Dint",
		"/v1beta/models?pageSize=50&pageToken=a%2Fb":                                "pageSize=50&pageToken=a%2Fb",
		"/v1beta/models?page_size=50":                                               "page_size=50",
		"/v1beta/files/f:download?alt=media":                                        "alt=media",
		"/upload/v1beta/files?upload_id=1&upload_protocol=resumable":                "upload_id=1&upload_protocol=resumable",
		"/upload/v1beta/fileSearchStores/s:uploadToFileSearchStore?uploadType=x":    "uploadType=x",
		"/v1beta/fileSearchStores/s?force=true":                                     "force=true",
		"/v1beta/cachedContents/c?updateMask=ttl":                                   "updateMask=ttl",
		"/v1beta/interactions/i?stream=true&last_event_id=e&include_input=true":     "include_input=true&last_event_id=e&stream=true",
		"/v1beta1/projects/p/locations/l/batchPredictionJobs?filter=a%3Db&pageSize": "filter=a%3Db&pageSize=",
		"/v1beta/files": "",
	} {
		path, query, _ := strings.Cut(address, "?")
		if got, err := operationOf(t, path).Query(query); err != nil || got != want {
			t.Errorf("%s: %q, %v", address, got, err)
		}
	}
}

// systemParameters are the parameters of every Google API, or of the proxies in front of it, in
// several spellings.
var systemParameters = []string{
	"callback=f", "$callback=f", "oauth_token=t", "bearer_token=t", "$key=k", "%24key=k",
	"access_token=t", "$.xgafv=1", "_.xgafv=1", "$fields=a",
	"fields=a", "prettyPrint=false", "pp=1", "quotaUser=u", "$userProject=p", "userIp=1.2.3.4",
	"$httpMethod=DELETE", "$httpHeaders=a%3Ab", "$req=a",
	"$ct=a", "$trace=a", "alt=proto", "alt=js", "alt=json&alt=sse", "$alt=proto",
	"$alt=json;enum-encoding=int", "key=x;y", "key=%zz", "a=b;callback=f", "Alt=sse",
	"ALT=sse", "alt%00=sse", "callback%20=f", "%63allback=f", "CallBack=f", "call_back=f", "=f",
	"f",
}

func TestOtherParametersAreRefusedOnEveryPath(t *testing.T) {
	t.Parallel()
	for _, path := range []string{
		"/v1beta/models", "/v1beta/models/m", "/v1beta/models/m:generateContent",
		"/v1beta/tunedModels/t", "/v1beta/files/f", "/v1beta/batches/b",
		"/v1beta/cachedContents", "/v1beta/operations/o", "/v1beta/fileSearchStores/s",
		"/v1beta/generatedFiles/g", "/v1beta/interactions/i",
		"/v1beta/corpora/c", "/upload/v1beta/files", "/download/v1beta/files/f:download",
		"/v1/projects/p/locations/l/cachedContents",
	} {
		for _, query := range systemParameters {
			if got, err := operationOf(t, path).Query(query); err == nil {
				t.Errorf("%s?%s passes as %q", path, query, got)
			}
		}
	}
}

// passing are the parameters that the gateway forwards on the path of the fuzz target.
var passing = regexp.MustCompile(`^(alt|\$alt|page_*[sS]ize|page_*[tT]oken|filter|return_*[pP]artial_*[sS]uccess|order_*[bB]y|read_*[mM]ask|view|list_*[aA]ll_*[vV]ersions)$`)

func FuzzOnlyParametersOfTheListPass(f *testing.F) {
	for _, query := range append(systemParameters, "alt=sse&key=k", "page_size=1",
		"pageSize=%26callback%3Df") {
		f.Add(query)
	}
	op := operationOf(f, "/v1beta/models/m:generateContent")
	f.Fuzz(func(t *testing.T, query string) {
		got, err := op.Query(query)
		if err != nil {
			return
		}
		values, err := url.ParseQuery(got)
		if err != nil || strings.ContainsAny(got, "; #") {
			t.Errorf("%q passes as %q: %v", query, got, err)
		}
		for name, all := range values {
			if !passing.MatchString(name) || len(all) != 1 {
				t.Errorf("%q passes as %q", query, got)
			}
		}
	})
}
