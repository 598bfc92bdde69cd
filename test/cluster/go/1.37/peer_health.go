package main

import (
	"context"
	"time"

	"k8s.io/dynamic-resource-allocation/kubeletplugin"
)

// healthService has nothing to add: the helper serves what WatchHealthStatus reports.
type healthService struct{}

// healthInterval is well within the 30 s after which kubelet takes a report as out of date.
const healthInterval = time.Second

// WatchHealthStatus is part of the helper's interface from 1.37 on.
func (d *draDriver) WatchHealthStatus(ctx context.Context, reports chan<- kubeletplugin.DeviceHealthReport) error {
	for {
		select {
		case <-ctx.Done():
			return nil
		case reports <- d.health():
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(healthInterval):
		}
	}
}

func (d *draDriver) health() kubeletplugin.DeviceHealthReport {
	var report kubeletplugin.DeviceHealthReport
	for _, device := range d.options.simulated() {
		health := kubeletplugin.HealthStatusHealthy
		if device.isSick {
			health = kubeletplugin.HealthStatusUnhealthy
		}
		report.Devices = append(report.Devices, kubeletplugin.DeviceHealth{
			PoolName:    d.options.node,
			DeviceName:  device.name,
			Health:      health,
			LastUpdated: time.Now(),
		})
	}
	return report
}
