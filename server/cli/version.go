package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
)

// version returns the line that --version prints.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	return versionOf(info)
}

// versionOf returns the version that the toolchain stamped: a tag for `go install ...@v1.2.3`, a
// pseudo-version and a commit for a build in a checkout, "(devel)" for `go run`.
func versionOf(info *debug.BuildInfo) string {
	stamp := map[string]string{}
	for _, setting := range info.Settings {
		stamp[setting.Key] = setting.Value
	}
	number := info.Main.Version
	if number == "" {
		number = "(devel)"
	}
	var details []string
	if revision := stamp["vcs.revision"]; revision != "" {
		details = append(details, "commit "+revision[:min(len(revision), 12)])
	}
	if stamp["vcs.modified"] == "true" {
		details = append(details, "modified")
	}
	if at := stamp["vcs.time"]; at != "" {
		details = append(details, at)
	}
	details = append(details,
		fmt.Sprintf("%s %s/%s", runtime.Version(), runtime.GOOS, runtime.GOARCH))
	return fmt.Sprintf("gemwire %s (%s)", number, strings.Join(details, ", "))
}
