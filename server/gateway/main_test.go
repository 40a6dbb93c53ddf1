package gateway_test

import (
	"net/http"
	"os"
	"testing"

	"go.uber.org/goleak"
)

// TestMain checks that no goroutine outlives its request.
func TestMain(m *testing.M) {
	code := m.Run()
	http.DefaultClient.CloseIdleConnections()
	if err := goleak.Find(); err != nil && code == 0 {
		_, _ = os.Stderr.WriteString(err.Error())
		code = 1
	}
	os.Exit(code)
}
