package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// peer is a driver of somebody else, with devices that do not exist.
type peer interface {
	// run serves until the context is done; changed delivers each change of a switch.
	run(ctx context.Context, changed <-chan struct{}) error
}

// peerOptions are the same for both peers.
type peerOptions struct {
	name       string
	node       string
	kubeconfig string
	devices    int
	kubelet    string
	cdi        string
	switches   switches
}

// simulatedDevice is a device that does not exist.
type simulatedDevice struct {
	name   string
	isSick bool
}

// simulated are all devices of a peer, as the unhealthy switch says now.
func (o peerOptions) simulated() []simulatedDevice {
	content, isOn := o.switches.on(unhealthy)
	sick := strings.Fields(content)
	devices := make([]simulatedDevice, o.devices)
	for index := range devices {
		name := fmt.Sprintf("gpu-%d", index)
		devices[index] = simulatedDevice{name: name, isSick: isOn && (len(sick) == 0 || slices.Contains(sick, name))}
	}
	return devices
}

// switches is a folder in which the presence of a file makes the peer misbehave, at once and until the file is gone.
type switches string

const (
	// hang: calls of kubelet get no answer.
	hang = "hang"
	// fail: calls of kubelet get an error, with the file's content as its words.
	fail = "fail"
	// crash: the peer ends with exit code 1.
	crash = "crash"
	// unhealthy: devices named in the file, one a line, are sick; all of them with an empty file.
	unhealthy = "unhealthy"
)

// on tells whether a switch is on, and what its file holds.
func (s switches) on(name string) (string, bool) {
	if s == "" {
		return "", false
	}
	content, err := os.ReadFile(filepath.Join(string(s), name))
	return string(content), err == nil
}

// act does to one call of kubelet what the switches say.
func (s switches) act(ctx context.Context) error {
	for {
		if _, on := s.on(hang); !on {
			break
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(100 * time.Millisecond):
		}
	}
	if words, on := s.on(fail); on {
		if words == "" {
			words = "switched to fail"
		}
		return fmt.Errorf("%s", words)
	}
	return nil
}

// watch reports each change of the unhealthy switch, and ends the program when crash is switched on.
func (s switches) watch(ctx context.Context) <-chan struct{} {
	changed := make(chan struct{}, 1)
	go func() {
		last, wasOn := s.on(unhealthy)
		for ctx.Err() == nil {
			time.Sleep(100 * time.Millisecond)
			if _, on := s.on(crash); on {
				fmt.Fprintln(os.Stderr, "switched to crash")
				os.Exit(1)
			}
			now, isOn := s.on(unhealthy)
			if now == last && isOn == wasOn {
				continue
			}
			last, wasOn = now, isOn
			select {
			case changed <- struct{}{}:
			default:
			}
		}
	}()
	return changed
}

// runPeer parses the peer's flags and serves until it is told to end.
func runPeer(name string, create func(peerOptions) (peer, error)) {
	flags := flag.NewFlagSet(name, flag.ExitOnError)
	var options peerOptions
	flags.StringVar(&options.name, "name", "peer.example.com", "driver, or extended resource of the device plugin")
	flags.StringVar(&options.node, "node", "", "node that it runs on")
	flags.StringVar(&options.kubeconfig, "kubeconfig", "", "access to the API server")
	flags.IntVar(&options.devices, "devices", 4, "number of devices, gpu-0 and so on")
	flags.StringVar(&options.kubelet, "kubelet", "/var/lib/kubelet", "root folder of kubelet")
	flags.StringVar(&options.cdi, "cdi", "/var/run/cdi", "folder for CDI files")
	flags.StringVar((*string)(&options.switches), "switches", "", "folder whose files hang, fail, crash and unhealthy make it misbehave")
	_ = flags.Parse(os.Args[1:])

	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	created, err := create(options)
	if err == nil {
		err = created.run(ctx, options.switches.watch(ctx))
	}
	if err != nil && ctx.Err() == nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
		os.Exit(1)
	}
}
