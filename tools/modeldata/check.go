package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/gemwire/gemwire/internal/modelid"
	"github.com/go-json-experiment/json"
)

// freshness is the maximum age of a check. Then somebody must check the fact again.
const freshness = 90 * 24 * time.Hour

// check reports facts and models that must be checked. It fails if facts were not checked for a
// long time, or if the API lists models that are not in the file.
func check(ctx context.Context, path string, now time.Time, getenv func(string) string,
	out io.Writer) error {
	f, err := readFile(path)
	if err != nil {
		return err
	}
	stale := f.stale(now)
	for _, row := range stale {
		fmt.Fprintf(out, "%s:%d: %s of %s was last checked on %s\n",
			path, row.line, row.What, strings.Join(row.Models, ", "),
			row.Checked.time().Format(time.DateOnly))
	}
	var errs []error
	if len(stale) > 0 {
		errs = append(errs,
			fmt.Errorf("%d facts were not checked for %d days; look at their sources, and set checked",
				len(stale), int(freshness.Hours()/24)))
	}
	key := getenv("GEMINI_API_KEY")
	if key == "" {
		fmt.Fprintln(out, "GEMINI_API_KEY is not set: the list of the API was not compared")
		return errors.Join(errs...)
	}
	listed, err := listModels(ctx, key, getenv("GEMINI_BASE_URL"))
	if err != nil {
		return errors.Join(append(errs, err)...)
	}
	missing := f.missing(listed)
	for _, id := range missing {
		fmt.Fprintf(out, "%s: the API lists %s, which has no row\n", path, id)
	}
	if len(missing) > 0 {
		errs = append(errs,
			fmt.Errorf("%d of %d models that the API lists are not in the file; add them to names",
				len(missing), len(listed)))
	}
	return errors.Join(errs...)
}

// stale returns the facts whose last check is too old.
func (f *file) stale(now time.Time) []*fact {
	var out []*fact
	for i := range f.Facts {
		if row := &f.Facts[i]; now.Sub(row.Checked.time()) > freshness {
			out = append(out, row)
		}
	}
	return out
}

// missing returns the ids that are not in the file. The name of a family is not an id. A family has
// the facts for models without a row of their own.
func (f *file) missing(ids []string) []string {
	return slices.DeleteFunc(slices.Clone(ids), func(id string) bool {
		return slices.ContainsFunc(f.Names, func(n modelName) bool {
			return n.Kind != "family" &&
				(slices.Contains(n.IDs, id) || modelid.IsVersionOf(id, n.Name))
		})
	})
}

// listModels returns the ids that the API lists for a key. It makes its own calls, because the
// client needs the tables that this command generates.
func listModels(ctx context.Context, key, address string) ([]string, error) {
	var out []string
	for token := ""; ; {
		page, err := modelPage(ctx, key,
			cmp.Or(address, "https://generativelanguage.googleapis.com"), token)
		if err != nil {
			return nil, fmt.Errorf("listing the models: %w", err)
		}
		for _, model := range page.Models {
			out = append(out, strings.TrimPrefix(model.Name, "models/"))
		}
		if page.NextPageToken == "" || page.NextPageToken == token {
			return out, nil
		}
		token = page.NextPageToken
	}
}

type listPage struct {
	Models []struct {
		Name string `json:"name"`
	} `json:"models"`
	NextPageToken string `json:"nextPageToken"`
}

func modelPage(ctx context.Context, key, address, token string) (*listPage, error) {
	query := url.Values{"pageSize": {"100"}}
	if token != "" {
		query.Set("pageToken", token)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet,
		address+"/v1beta/models?"+query.Encode(), nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("x-goog-api-key", key)
	reply, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer reply.Body.Close()
	if reply.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("the server answers %s", reply.Status)
	}
	var page listPage
	if err := json.UnmarshalRead(reply.Body, &page); err != nil {
		return nil, err
	}
	return &page, nil
}
