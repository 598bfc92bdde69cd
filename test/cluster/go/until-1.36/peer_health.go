package main

import (
	"time"

	drahealthapi "k8s.io/kubelet/pkg/apis/dra-health/v1alpha1"
)

// healthService makes the helper serve the health API; up to 1.36 it hands the calls of kubelet through.
type healthService struct {
	drahealthapi.UnimplementedDRAResourceHealthServer
}

// healthInterval is well within the 30 s after which kubelet takes a report as out of date.
const healthInterval = time.Second

// NodeWatchResources reports all devices again and again.
func (d *draDriver) NodeWatchResources(_ *drahealthapi.NodeWatchResourcesRequest, stream drahealthapi.DRAResourceHealth_NodeWatchResourcesServer) error {
	for {
		if err := stream.Send(d.health()); err != nil {
			return err
		}
		select {
		case <-stream.Context().Done():
			return nil
		case <-time.After(healthInterval):
		}
	}
}

func (d *draDriver) health() *drahealthapi.NodeWatchResourcesResponse {
	response := &drahealthapi.NodeWatchResourcesResponse{}
	for _, device := range d.options.simulated() {
		health := drahealthapi.HealthStatus_HEALTHY
		if device.isSick {
			health = drahealthapi.HealthStatus_UNHEALTHY
		}
		response.Devices = append(response.Devices, &drahealthapi.DeviceHealth{
			Device:          &drahealthapi.DeviceIdentifier{PoolName: d.options.node, DeviceName: device.name},
			Health:          health,
			LastUpdatedTime: time.Now().Unix(),
		})
	}
	return response
}
