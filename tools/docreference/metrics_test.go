package docreference

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	bulkmetrics "github.com/gemwire/gemwire/server/bulk/metrics"
	"github.com/gemwire/gemwire/server/gateway/metrics"
	"github.com/prometheus/client_golang/prometheus"
)

var described = regexp.MustCompile(`^Desc\{fqName: "([^"]+)", help: "(.*?)", (?:unit: "[^"]*", )?constLabels: \{\}, variableLabels: \{([^}]*)\}`)

// metricsPage lists what /metrics has, from the descriptions of the collectors.
func metricsPage(t *testing.T) string {
	var b strings.Builder
	b.WriteString("# Metrics\n\n```sh\ncurl http://127.0.0.1:8080/metrics\n```\n\n" +
		"Labels are bounded: of models that have answered, clients and error codes, each label has at most 200\n" +
		"values of at most 128 bytes. All other names are `other`. All replicas can be summed.\n")
	for _, group := range []struct {
		title     string
		collector prometheus.Collector
	}{{"Requests", metrics.New()}, {"Batches", bulkmetrics.New()}} {
		fmt.Fprintf(&b, "\n## %s\n\n%s", group.title, head("metric", "type", "labels", "meaning"))
		descriptions := make(chan *prometheus.Desc, 100)
		group.collector.Describe(descriptions)
		close(descriptions)
		var rows []string
		for d := range descriptions {
			match := described.FindStringSubmatch(d.String())
			if match == nil {
				t.Fatalf("%s has another form than expected", d)
			}
			var labels []string
			for label := range strings.SplitSeq(match[3], ",") {
				labels = append(labels, code(label))
			}
			rows = append(rows, row(code(match[1]), metricType(match[1]), strings.Join(labels, ", "), match[2]))
		}
		slices.Sort(rows)
		b.WriteString(strings.Join(rows, ""))
	}
	b.WriteString("\nThe process and the Go runtime add their usual metrics, `process_...` and `go_...`.\n" +
		"[Operating the gateway](../operating.md) explains metrics, logs and traces.\n")
	return b.String()
}

func metricType(name string) string {
	switch {
	case strings.HasSuffix(name, "_total"):
		return "counter"
	case strings.HasSuffix(name, "_seconds"):
		return "histogram"
	}
	return "gauge"
}
