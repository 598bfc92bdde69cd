package main

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	devicepluginapi "k8s.io/kubelet/pkg/apis/deviceplugin/v1beta1"
)

// devicePlugin is a device plugin of the classic kind. Containers see PEER_DEVICES.
type devicePlugin struct {
	devicepluginapi.UnimplementedDevicePluginServer
	options peerOptions
	updates chan struct{}
}

func newDevicePlugin(options peerOptions) (peer, error) {
	return &devicePlugin{options: options, updates: make(chan struct{}, 1)}, nil
}

// run serves anew whenever its socket is gone: kubelet empties the folder when it starts, and expects plugins to notice.
func (p *devicePlugin) run(ctx context.Context, changed <-chan struct{}) error {
	for ctx.Err() == nil {
		if err := p.serve(ctx, changed); err != nil {
			return err
		}
	}
	return nil
}

// serve returns when its socket is gone or the context is done.
func (p *devicePlugin) serve(ctx context.Context, changed <-chan struct{}) error {
	folder := filepath.Join(p.options.kubelet, "device-plugins")
	endpoint := strings.ReplaceAll(p.options.name, "/", "-") + ".sock"
	socket := filepath.Join(folder, endpoint)
	if err := os.Remove(socket); err != nil && !os.IsNotExist(err) {
		return fmt.Errorf("remove old socket: %w", err)
	}
	listener, err := net.Listen("unix", socket)
	if err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	server := grpc.NewServer()
	devicepluginapi.RegisterDevicePluginServer(server, p)
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	defer server.Stop()
	if err := p.register(ctx, folder, endpoint); err != nil {
		return err
	}
	look := time.NewTicker(200 * time.Millisecond)
	defer look.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case err := <-served:
			return fmt.Errorf("serve: %w", err)
		case <-look.C:
			if _, err := os.Lstat(socket); os.IsNotExist(err) {
				return nil
			}
		case <-changed:
			select {
			case p.updates <- struct{}{}:
			default:
			}
		}
	}
}

func (p *devicePlugin) register(ctx context.Context, folder, endpoint string) error {
	connection, err := grpc.NewClient("unix://"+filepath.Join(folder, "kubelet.sock"), grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		return fmt.Errorf("dial kubelet: %w", err)
	}
	defer connection.Close()
	request := &devicepluginapi.RegisterRequest{Version: devicepluginapi.Version, Endpoint: endpoint, ResourceName: p.options.name}
	if _, err := devicepluginapi.NewRegistrationClient(connection).Register(ctx, request, grpc.WaitForReady(true)); err != nil {
		return fmt.Errorf("register with kubelet: %w", err)
	}
	return nil
}

func (p *devicePlugin) devices() []*devicepluginapi.Device {
	var devices []*devicepluginapi.Device
	for _, device := range p.options.simulated() {
		health := devicepluginapi.Healthy
		if device.isSick {
			health = devicepluginapi.Unhealthy
		}
		devices = append(devices, &devicepluginapi.Device{ID: device.name, Health: health})
	}
	return devices
}

func (p *devicePlugin) GetDevicePluginOptions(context.Context, *devicepluginapi.Empty) (*devicepluginapi.DevicePluginOptions, error) {
	return &devicepluginapi.DevicePluginOptions{}, nil
}

func (p *devicePlugin) ListAndWatch(_ *devicepluginapi.Empty, stream grpc.ServerStreamingServer[devicepluginapi.ListAndWatchResponse]) error {
	for {
		if err := stream.Send(&devicepluginapi.ListAndWatchResponse{Devices: p.devices()}); err != nil {
			return err
		}
		select {
		case <-stream.Context().Done():
			return nil
		case <-p.updates:
		}
	}
}

func (p *devicePlugin) Allocate(ctx context.Context, request *devicepluginapi.AllocateRequest) (*devicepluginapi.AllocateResponse, error) {
	if err := p.options.switches.act(ctx); err != nil {
		return nil, err
	}
	response := &devicepluginapi.AllocateResponse{}
	for _, container := range request.ContainerRequests {
		response.ContainerResponses = append(response.ContainerResponses, &devicepluginapi.ContainerAllocateResponse{
			Envs: map[string]string{"PEER_DEVICES": strings.Join(container.DevicesIds, ",")},
		})
	}
	return response, nil
}
