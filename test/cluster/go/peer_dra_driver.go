package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/dynamic-resource-allocation/kubeletplugin"
	"k8s.io/dynamic-resource-allocation/resourceslice"
	"k8s.io/utils/ptr"
)

// draDriver is a DRA driver on the upstream helper. A prepared claim is one CDI file; containers see PEER_DEVICES.
type draDriver struct {
	// How health is reported differs by minor.
	healthService
	options peerOptions
	client  kubernetes.Interface
}

func newDraDriver(options peerOptions) (peer, error) {
	config, err := clientcmd.BuildConfigFromFlags("", options.kubeconfig)
	if err != nil {
		return nil, fmt.Errorf("read kubeconfig: %w", err)
	}
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return nil, fmt.Errorf("make client: %w", err)
	}
	return &draDriver{options: options, client: client}, nil
}

func (d *draDriver) run(ctx context.Context, changed <-chan struct{}) error {
	data := filepath.Join(d.options.kubelet, "plugins", d.options.name)
	for _, folder := range []string{data, d.options.cdi} {
		if err := os.MkdirAll(folder, 0o750); err != nil {
			return fmt.Errorf("make folder: %w", err)
		}
	}
	helper, err := kubeletplugin.Start(ctx, d,
		kubeletplugin.DriverName(d.options.name),
		kubeletplugin.KubeClient(d.client),
		kubeletplugin.NodeName(d.options.node),
		kubeletplugin.PluginDataDirectoryPath(data),
		kubeletplugin.RegistrarDirectoryPath(filepath.Join(d.options.kubelet, "plugins_registry")),
	)
	if err != nil {
		return fmt.Errorf("start helper: %w", err)
	}
	defer helper.Stop()
	for {
		if err := helper.PublishResources(ctx, d.resources()); err != nil {
			return fmt.Errorf("publish devices: %w", err)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-changed:
		}
	}
}

// resources leaves sick devices out.
func (d *draDriver) resources() resourceslice.DriverResources {
	var devices []resourceapi.Device
	for index, device := range d.options.simulated() {
		if device.isSick {
			continue
		}
		devices = append(devices, resourceapi.Device{
			Name: device.name,
			Attributes: map[resourceapi.QualifiedName]resourceapi.DeviceAttribute{
				"index": {IntValue: ptr.To(int64(index))},
				"model": {StringValue: ptr.To("simulated")},
			},
		})
	}
	return resourceslice.DriverResources{Pools: map[string]resourceslice.Pool{
		d.options.node: {Slices: []resourceslice.Slice{{Devices: devices}}},
	}}
}

func (d *draDriver) PrepareResourceClaims(ctx context.Context, claims []*resourceapi.ResourceClaim) (map[types.UID]kubeletplugin.PrepareResult, error) {
	if err := d.options.switches.act(ctx); err != nil {
		return nil, err
	}
	results := make(map[types.UID]kubeletplugin.PrepareResult, len(claims))
	for _, claim := range claims {
		devices, err := d.prepare(claim)
		results[claim.UID] = kubeletplugin.PrepareResult{Devices: devices, Err: err}
	}
	return results, nil
}

// prepare writes the claim's CDI file; a second call writes the same.
func (d *draDriver) prepare(claim *resourceapi.ResourceClaim) ([]kubeletplugin.Device, error) {
	id := string(claim.UID)
	var devices []kubeletplugin.Device
	var names []string
	for _, result := range claim.Status.Allocation.Devices.Results {
		if result.Driver != d.options.name {
			continue
		}
		names = append(names, result.Device)
		devices = append(devices, kubeletplugin.Device{
			Requests:     []string{result.Request},
			PoolName:     result.Pool,
			DeviceName:   result.Device,
			CDIDeviceIDs: []string{d.kind() + "=" + id},
		})
	}
	spec := map[string]any{
		"cdiVersion": "0.6.0",
		"kind":       d.kind(),
		"devices": []any{map[string]any{
			"name":           id,
			"containerEdits": map[string]any{"env": []string{"PEER_DEVICES=" + strings.Join(names, ",")}},
		}},
	}
	text, err := json.Marshal(spec)
	if err != nil {
		return nil, err
	}
	// A half-written file would break every container that starts meanwhile.
	partial := d.cdiFile(id) + ".new"
	if err := os.WriteFile(partial, text, 0o640); err != nil {
		return nil, err
	}
	return devices, os.Rename(partial, d.cdiFile(id))
}

func (d *draDriver) UnprepareResourceClaims(ctx context.Context, claims []kubeletplugin.NamespacedObject) (map[types.UID]error, error) {
	if err := d.options.switches.act(ctx); err != nil {
		return nil, err
	}
	results := make(map[types.UID]error, len(claims))
	for _, claim := range claims {
		err := os.Remove(d.cdiFile(string(claim.UID)))
		if os.IsNotExist(err) {
			err = nil
		}
		results[claim.UID] = err
	}
	return results, nil
}

func (d *draDriver) HandleError(_ context.Context, err error, message string) {
	fmt.Fprintf(os.Stderr, "%s: %v\n", message, err)
}

func (d *draDriver) kind() string {
	return "peer." + d.options.name + "/claim"
}

func (d *draDriver) cdiFile(id string) string {
	return filepath.Join(d.options.cdi, fmt.Sprintf("peer.%s-%s.json", d.options.name, id))
}
