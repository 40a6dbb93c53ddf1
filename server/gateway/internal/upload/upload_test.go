package upload_test

import (
	"bytes"
	"errors"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/gemwire/gemwire/server/gateway/internal/upload"
)

// field is a part of a form. It is the file if it has a file name.
type field struct{ name, value, filename string }

// request returns a request with a form of parts in their order.
func request(t testing.TB, fields ...field) *http.Request {
	t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	for _, f := range fields {
		part, err := createPart(form, f)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.WriteString(part, f.value)
	}
	_ = form.Close()
	r := httptest.NewRequest(http.MethodPost, "/v1/files", &body)
	r.Header.Set("Content-Type", form.FormDataContentType())
	return r
}

func createPart(form *multipart.Writer, f field) (io.Writer, error) {
	if f.filename != "" {
		return form.CreateFormFile(f.name, f.filename)
	}
	return form.CreateFormField(f.name)
}

// read returns the whole content of a form.
func read(r *http.Request) (name, content, purpose string, expires time.Duration, err error) {
	u, err := upload.Read(r)
	if err != nil {
		return "", "", "", 0, err
	}
	data, err := io.ReadAll(u.Content())
	if err != nil {
		return "", "", "", 0, err
	}
	purpose, expires, err = u.Details()
	return u.Filename(), string(data), purpose, expires, err
}

func TestThePartsOfAFormComeInAnyOrder(t *testing.T) {
	t.Parallel()
	file, purpose := field{"file", "line\n", "in.jsonl"}, field{"purpose", "batch", ""}
	anchor, seconds := field{"expires_after[anchor]", "created_at", ""},
		field{"expires_after[seconds]", "3600", ""}
	for name, fields := range map[string][]field{
		"the file last":          {purpose, anchor, seconds, file},
		"the file first":         {file, purpose, seconds, anchor},
		"the file in the middle": {anchor, file, seconds, purpose},
	} {
		got, content, purpose, expires, err := read(request(t, fields...))
		if err != nil || got != "in.jsonl" || content != "line\n" || purpose != "batch" ||
			expires != time.Hour {
			t.Errorf("%s: %q %q %q %v %v", name, got, content, purpose, expires, err)
		}
	}
}

func TestAFileIsKeptForThirtyDaysAtMost(t *testing.T) {
	t.Parallel()
	_, _, _, expires, err := read(request(t, field{"file", "x", ""}, field{"purpose", "batch", ""},
		field{"expires_after[anchor]", "created_at", ""},
		field{"expires_after[seconds]", "2592000", ""}))
	if err != nil || expires != 30*24*time.Hour {
		t.Errorf("%v %v", expires, err)
	}
}

// Some clients send the file as a part without a file name.
func TestAFileNeedsNoName(t *testing.T) {
	t.Parallel()
	name, content, _, expires, err := read(request(t, field{"file", "x", ""},
		field{"purpose", "user_data", ""}))
	if err != nil || name != "upload" || content != "x" || expires != 0 {
		t.Errorf("%q %q %v %v", name, content, expires, err)
	}
}

func TestAFormThatIsWrongNamesThePart(t *testing.T) {
	t.Parallel()
	file, purpose := field{"file", "x", "a"}, field{"purpose", "batch", ""}
	anchor := field{"expires_after[anchor]", "created_at", ""}
	for name, test := range map[string]struct {
		fields []field
		want   string
	}{
		"no file":          {[]field{purpose}, "file"},
		"two files":        {[]field{file, file, purpose}, "file"},
		"no purpose":       {[]field{file}, "purpose"},
		"two purposes":     {[]field{purpose, purpose, file}, "purpose"},
		"a long purpose":   {[]field{{"purpose", strings.Repeat("p", 2000), ""}, file}, "purpose"},
		"another anchor":   {[]field{purpose, {"expires_after[anchor]", "now", ""}, {"expires_after[seconds]", "3600", ""}, file}, "expires_after[anchor]"},
		"no seconds":       {[]field{purpose, anchor, file}, "expires_after[seconds]"},
		"too few seconds":  {[]field{purpose, anchor, file, {"expires_after[seconds]", "3599", ""}}, "expires_after[seconds]"},
		"too many seconds": {[]field{purpose, anchor, file, {"expires_after[seconds]", "2592001", ""}}, "expires_after[seconds]"},
	} {
		_, _, _, _, err := read(request(t, test.fields...))
		if wrong, ok := errors.AsType[*upload.FieldError](err); !ok || wrong.Field != test.want {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := upload.Read(httptest.NewRequest(http.MethodPost, "/v1/files",
		strings.NewReader("{}"))); err == nil {
		t.Error("JSON is taken for a form")
	}
}

func TestAFormThatIsCutOffIsAnError(t *testing.T) {
	t.Parallel()
	whole := request(t, field{"purpose", "batch", ""}, field{"file", "line\n", "in.jsonl"})
	body, err := io.ReadAll(whole.Body)
	if err != nil {
		t.Fatal(err)
	}
	for n := range len(body) - 4 { // the last bytes are a line end after the final boundary
		r := httptest.NewRequest(http.MethodPost, "/v1/files", bytes.NewReader(body[:n]))
		r.Header = whole.Header
		if _, _, _, _, err := read(r); err == nil {
			t.Errorf("cut at byte %d of %d: no error", n, len(body))
		}
	}
}
