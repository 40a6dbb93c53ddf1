package measurement

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// Plan says what is measured, and how long.
type Plan struct {
	// Only are the names of the measurements. An empty list means all of them.
	Only []string
	// Scale makes all measurements shorter or longer; the documents show results for 1.
	Scale float64
	// Profiles is a folder for profiles of the intermediaries, "" for no profiles.
	Profiles string
	// Out gets the table.
	Out io.Writer

	// saturation is how many whole calls the gateway answers in a second, measured once.
	saturation float64
}

// measurement is one measurement of the plan.
type measurement struct {
	name string
	run  func(*Plan) (*Table, error)
}

// measurements are in the order of the table.
var measurements = []measurement{
	{"saturation", (*Plan).measureSaturation},
	{"whole", (*Plan).measureWhole},
	{"first", (*Plan).measureFirstChunk},
	{"cpu", (*Plan).measureCPU},
	{"memory", (*Plan).measureOpenStreams},
	{"order", (*Plan).measureOrder},
	{"mixed", (*Plan).measureMixed},
	{"overload", (*Plan).measureOverload},
	{"store", (*Plan).measureStore},
}

// Names returns the names of all measurements.
func Names() []string {
	var names []string
	for _, m := range measurements {
		names = append(names, m.name)
	}
	return names
}

// Run measures, and prints each table as soon as it is known.
func (p *Plan) Run() error {
	for _, name := range p.Only {
		if !slices.Contains(Names(), name) {
			return fmt.Errorf("nothing is measured as %q; there are %s", name,
				strings.Join(Names(), ", "))
		}
	}
	if p.Profiles != "" {
		if err := os.MkdirAll(p.Profiles, 0o755); err != nil {
			return err
		}
	}
	fmt.Fprintf(p.Out, "%s, %s, %d processors, load %s\n", time.Now().Format(time.DateTime),
		runtime.Version(), runtime.NumCPU(), loadAverage())
	for _, m := range measurements {
		if len(p.Only) > 0 && !slices.Contains(p.Only, m.name) {
			continue
		}
		table, err := m.run(p)
		if err != nil {
			return fmt.Errorf("%s: %w", m.name, err)
		}
		table.write(p.Out)
	}
	_, err := fmt.Fprintf(p.Out, "\n%s, load %s\n", time.Now().Format(time.DateTime), loadAverage())
	return err
}

// loadAverage returns the number of processes that wanted a processor in the last minute. If it is
// above the load of the measurement itself, measured times are worth little.
func loadAverage() string {
	data, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	first, _, _ := strings.Cut(string(data), " ")
	return first
}

// profile returns the argument that has what is between profiled in a measurement.
func (p *Plan) profile(measurement, name string) []string {
	if p.Profiles == "" {
		return nil
	}
	return []string{"-profile", filepath.Join(p.Profiles, measurement+"-"+name)}
}

// scaled returns a number as the scale of the plan has it, at least 1.
func (p *Plan) scaled(n int) int { return max(int(float64(n)*p.Scale), 1) }

func (p *Plan) span(d time.Duration) time.Duration { return time.Duration(float64(d) * p.Scale) }

// rounds is how often each way has its turn.
const rounds = 5
