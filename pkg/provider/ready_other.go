//go:build !unix

package provider

// descriptor does not exist on this system.
type descriptor struct{}

func newDescriptor(*Provider) (*descriptor, error) { return nil, ErrNoDescriptor }

func (*descriptor) signal() {}

func (*descriptor) clear() {}

func (*descriptor) fd() int { return -1 }
