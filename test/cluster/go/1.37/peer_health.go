package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"k8s.io/dynamic-resource-allocation/kubeletplugin"
)

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
	sick, anySick := d.options.switches.on(unhealthy)
	names := strings.Fields(sick)
	var report kubeletplugin.DeviceHealthReport
	for index := range d.options.devices {
		device := kubeletplugin.DeviceHealth{
			PoolName:    d.options.node,
			DeviceName:  fmt.Sprintf("gpu-%d", index),
			Health:      kubeletplugin.HealthStatusHealthy,
			LastUpdated: time.Now(),
		}
		if anySick && (len(names) == 0 || slices.Contains(names, device.DeviceName)) {
			device.Health = kubeletplugin.HealthStatusUnhealthy
		}
		report.Devices = append(report.Devices, device)
	}
	return report
}
