// A driver on the upstream helper that leaves on the disk what ours leaves: before it touches a device a record that survives a loss of power,
// then a CDI file, then the record again. Devices do not exist. Nothing is ever read back: a restart, a reboot and a claim that is gone are
// not its business, so it does less than ours.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/dynamic-resource-allocation/kubeletplugin"
	"k8s.io/dynamic-resource-allocation/resourceslice"
)

// slicePart is how many devices a slice may have.
const slicePart = 128

type driver struct {
	name, node, kubelet, cdi string
	devices                  int
	delay                    time.Duration
}

func main() {
	d := driver{}
	var kubeconfig string
	flag.StringVar(&d.name, "name", "", "name of the driver")
	flag.StringVar(&d.node, "node", "", "its node")
	flag.StringVar(&d.kubelet, "kubelet", "", "root folder of kubelet")
	flag.StringVar(&d.cdi, "cdi", "", "folder for CDI files")
	flag.IntVar(&d.devices, "devices", 1, "number of devices, gpu-0 and so on")
	flag.DurationVar(&d.delay, "delay", 0, "time that the hardware takes")
	flag.StringVar(&kubeconfig, "kubeconfig", "", "access to the API server")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	if err := d.run(ctx, kubeconfig); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func (d *driver) run(ctx context.Context, kubeconfig string) error {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return err
	}
	// No limit of requests a second: the default of 5 would be all that is measured.
	config.QPS = -1
	// What the played API server reads.
	config.ContentType = "application/json"
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(d.claims(), 0o700); err != nil {
		return err
	}
	helper, err := kubeletplugin.Start(ctx, d,
		kubeletplugin.DriverName(d.name),
		kubeletplugin.KubeClient(client),
		kubeletplugin.NodeName(d.node),
		kubeletplugin.PluginDataDirectoryPath(d.data()),
		kubeletplugin.RegistrarDirectoryPath(filepath.Join(d.kubelet, "plugins_registry")),
	)
	if err != nil {
		return err
	}
	defer helper.Stop()
	if err := helper.PublishResources(ctx, d.resources()); err != nil {
		return err
	}
	<-ctx.Done()
	return nil
}

func (d *driver) data() string   { return filepath.Join(d.kubelet, "plugins", d.name) }
func (d *driver) claims() string { return filepath.Join(d.data(), "claims") }

func (d *driver) resources() resourceslice.DriverResources {
	var slices []resourceslice.Slice
	for first := 0; first < d.devices; first += slicePart {
		var slice resourceslice.Slice
		for index := first; index < min(first+slicePart, d.devices); index++ {
			slice.Devices = append(slice.Devices, resourceapi.Device{Name: fmt.Sprintf("gpu-%d", index)})
		}
		slices = append(slices, slice)
	}
	return resourceslice.DriverResources{Pools: map[string]resourceslice.Pool{d.node: {Slices: slices}}}
}

func (d *driver) PrepareResourceClaims(_ context.Context, claims []*resourceapi.ResourceClaim) (map[types.UID]kubeletplugin.PrepareResult, error) {
	results := make(map[types.UID]kubeletplugin.PrepareResult, len(claims))
	for _, claim := range claims {
		devices, err := d.prepare(claim)
		results[claim.UID] = kubeletplugin.PrepareResult{Devices: devices, Err: err}
	}
	return results, nil
}

func (d *driver) prepare(claim *resourceapi.ResourceClaim) ([]kubeletplugin.Device, error) {
	uid := string(claim.UID)
	var devices []kubeletplugin.Device
	var specs []any
	for _, result := range claim.Status.Allocation.Devices.Results {
		if result.Driver != d.name {
			continue
		}
		devices = append(devices, kubeletplugin.Device{
			Requests: []string{result.Request}, PoolName: result.Pool, DeviceName: result.Device,
			CDIDeviceIDs: []string{d.name + "/claim=" + uid + "-" + result.Device},
		})
		specs = append(specs, map[string]any{
			"name": uid + "-" + result.Device, "containerEdits": map[string]any{"env": []string{"DEVICE=" + result.Device}},
		})
	}
	if err := write(d.record(uid), map[string]any{"state": "preparing", "claim": uid, "devices": devices}, true); err != nil {
		return nil, err
	}
	time.Sleep(d.delay)
	if err := write(d.cdiFile(uid), map[string]any{"cdiVersion": "0.6.0", "kind": d.name + "/claim", "devices": specs}, false); err != nil {
		return nil, err
	}
	return devices, write(d.record(uid), map[string]any{"state": "prepared", "claim": uid, "devices": devices}, true)
}

func (d *driver) UnprepareResourceClaims(_ context.Context, claims []kubeletplugin.NamespacedObject) (map[types.UID]error, error) {
	results := make(map[types.UID]error, len(claims))
	for _, claim := range claims {
		uid := string(claim.UID)
		err := os.Remove(d.cdiFile(uid))
		if err == nil || errors.Is(err, fs.ErrNotExist) {
			err = os.Remove(d.record(uid))
		}
		if err == nil {
			err = syncFolder(d.claims())
		}
		if errors.Is(err, fs.ErrNotExist) {
			// Kubelet asks again until it is answered.
			err = nil
		}
		results[claim.UID] = err
	}
	return results, nil
}

func (d *driver) HandleError(_ context.Context, err error, message string) {
	fmt.Fprintf(os.Stderr, "%s: %v\n", message, err)
}

func (d *driver) record(uid string) string  { return filepath.Join(d.claims(), uid+".json") }
func (d *driver) cdiFile(uid string) string { return filepath.Join(d.cdi, d.name+"-"+uid+".json") }

// write replaces a file in one step; a durable one is on the disk afterwards.
func write(path string, content any, durable bool) error {
	text, err := json.Marshal(content)
	if err != nil {
		return err
	}
	partial := filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+".tmp")
	file, err := os.Create(partial)
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	if err == nil && durable {
		err = file.Sync()
	}
	if closed := file.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(partial, path)
	}
	if err == nil && durable {
		err = syncFolder(filepath.Dir(path))
	}
	return err
}

func syncFolder(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	defer folder.Close()
	return folder.Sync()
}
