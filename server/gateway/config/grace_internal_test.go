package config

import (
	"testing"
	"time"
)

func TestAStreamWaitsLongerForItsFirstChunkOnThisMachine(t *testing.T) {
	t.Parallel()
	for addr, want := range map[string]time.Duration{
		DefaultAddr: time.Minute, "localhost:1": time.Minute, "[::1]:1": time.Minute,
		"127.1.2.3:80": time.Minute, ":8080": 5 * time.Second, "0.0.0.0:8080": 5 * time.Second,
		"10.0.0.1:80": 5 * time.Second, "example.test:80": 5 * time.Second, "": 5 * time.Second,
	} {
		if got := (&Config{Addr: addr}).grace(); got != want {
			t.Errorf("%q waits %v, want %v", addr, got, want)
		}
		if got := (&Config{Addr: addr, Grace: Duration(time.Second)}).grace(); got != time.Second {
			t.Errorf("%q waits %v in place of the set time", addr, got)
		}
	}
}
