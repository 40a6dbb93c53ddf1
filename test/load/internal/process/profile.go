package process

import (
	"fmt"
	"os"
	"runtime"
	"runtime/pprof"
	"time"
)

// Profile profiles this process until stop is called. The files have the given name and an ending
// for each profile. Without a name Profile does nothing. The heap profile shows the second with the
// most goroutines.
func Profile(name string) (stop func(), err error) {
	if name == "" {
		return func() {}, nil
	}
	cpu, err := os.Create(name + ".cpu")
	if err != nil {
		return nil, err
	}
	if err := pprof.StartCPUProfile(cpu); err != nil {
		return nil, err
	}
	done := make(chan struct{})
	go lookEachSecond(name, done)
	return func() {
		close(done)
		pprof.StopCPUProfile()
		_ = cpu.Close()
		write("allocs", name)
	}, nil
}

func lookEachSecond(name string, done chan struct{}) {
	most := 0
	for {
		select {
		case <-time.After(time.Second):
		case <-done:
			return
		}
		if n := runtime.NumGoroutine(); n > most {
			most = n
			runtime.GC() // the heap profile shows the last collection
			write("heap", name)
			write("goroutine", name)
			writeMemory(name)
		}
	}
}

// writeMemory writes where the memory of the process is.
func writeMemory(name string) {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	text := fmt.Sprintf("heap that lives %d\nheap in use     %d\nheap that idles %d\nheap given back %d\nstacks          %d\nall             %d\n",
		m.HeapAlloc, m.HeapInuse, m.HeapIdle, m.HeapReleased, m.StackInuse, m.Sys)
	_ = os.WriteFile(name+".memory", []byte(text), 0o644)
}

// write writes a profile of a kind. What cannot be written is missing, and is seen to be.
func write(kind, name string) {
	file, err := os.Create(name + "." + kind)
	if err != nil {
		return
	}
	_ = pprof.Lookup(kind).WriteTo(file, 0)
	_ = file.Close()
}
