package enginetest

import (
	"fmt"
	"math/rand/v2"
	"net"
	"testing"
)

// The range of the ports of [FreePorts]. Systems take the ports of outgoing connections, and those
// of servers without a port of their own, from above it.
const firstPort, portCount = 12_000, 18_000

// FreePorts returns ports that no server of this machine uses. The caller starts its servers later,
// so the ports are ones that no other program gets by chance.
func FreePorts(t testing.TB, n int) (ports []int) {
	t.Helper()
	for tries := 0; len(ports) < n; tries++ {
		port := firstPort + rand.IntN(portCount)
		l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
		switch {
		case err == nil:
			defer func() { _ = l.Close() }() // not before the other ports are known
			ports = append(ports, port)
		case tries == 100*n:
			t.Fatal(err)
		}
	}
	return ports
}
