package provider_test

import (
	"context"
	"syscall"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/provider"
)

// waitFor waits until a descriptor can be read, and reports whether it can. The time limit is in
// milliseconds, and -1 means no limit.
func waitFor(t *testing.T, fd, milliseconds int) bool {
	t.Helper()
	epoll, err := syscall.EpollCreate1(0)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = syscall.Close(epoll) }()
	if err := syscall.EpollCtl(epoll, syscall.EPOLL_CTL_ADD, fd,
		&syscall.EpollEvent{Events: syscall.EPOLLIN, Fd: int32(fd)}); err != nil {
		t.Fatal(err)
	}
	events := make([]syscall.EpollEvent, 1)
	for {
		n, err := syscall.EpollWait(epoll, events, milliseconds)
		if err != syscall.EINTR {
			return n > 0 && err == nil
		}
	}
}

func TestALoopAroundEpollIsWokenForEachCall(t *testing.T) {
	t.Parallel()
	p := provider.New(scripted{stream: twoHundred}, provider.WithPolling(), provider.WithBuffer(1))
	fd, err := p.ReadyFD()
	if err != nil {
		t.Fatal(err)
	}
	if again, err := p.ReadyFD(); again != fd || err != nil {
		t.Error(again, err)
	}
	p.Poll() // The descriptor can be read at first, for what was offered before it was there.
	if waitFor(t, fd, 0) {
		t.Error("there is something to deliver before there is a call")
	}
	var got calls
	for range 3 {
		if _, err := p.StartStream(context.Background(), request, got.event, got.done); err != nil {
			t.Fatal(err)
		}
	}
	for p.Running() > 0 {
		if !waitFor(t, fd, -1) {
			t.Fatal("nothing is ready")
		}
		p.Poll()
	}
	if n := len(got.all()); n < 3*200 {
		t.Errorf("%d callbacks", n)
	}
	if p.Poll(); waitFor(t, fd, 0) {
		t.Error("the descriptor can be read after the last call")
	}
}

func TestADescriptorThatIsAskedForLateIsReadable(t *testing.T) {
	t.Parallel()
	p := provider.New(scripted{stream: func(_ context.Context,
		yield func(*geminiapi.GenerateContentResponse, error) bool) {
		yield(lastChunk, nil)
	}}, provider.WithPolling())
	var got calls
	if _, err := p.StartStream(context.Background(), request, got.event, got.done); err != nil {
		t.Fatal(err)
	}
	<-p.Ready()
	if fd, err := p.ReadyFD(); err != nil || !waitFor(t, fd, 0) {
		t.Error(fd, err)
	}
	p.Cancel()
	for p.Running() > 0 {
		<-p.Ready()
		p.Poll()
	}
}
