//go:build kubernetes1.34

package main

import (
	dracel "k8s.io/dynamic-resource-allocation/cel"
	"k8s.io/dynamic-resource-allocation/structured"
)

const kubernetesMinor = "1.34"

// gateDefaults are those that allocation reads, from pkg/features/kube_features.go; a gate that is not named is off.
var gateDefaults = map[string]bool{
	"DRAAdminAccess":               true,
	"DRAPrioritizedList":           true,
	"DRAResourceClaimDeviceStatus": true,
}

func celFeatures(enabled func(string) bool) dracel.Features {
	return dracel.Features{
		EnableConsumableCapacity: enabled("DRAConsumableCapacity"),
	}
}

// allocatorFeatures does what PreFilter of the scheduler plugin does.
func allocatorFeatures(enabled func(string) bool) structured.Features {
	return structured.Features{
		AdminAccess:          enabled("DRAAdminAccess"),
		PrioritizedList:      enabled("DRAPrioritizedList"),
		PartitionableDevices: enabled("DRAPartitionableDevices"),
		DeviceTaints:         enabled("DRADeviceTaints"),
		DeviceBinding:        enabled("DRADeviceBindingConditions"),
		DeviceStatus:         enabled("DRAResourceClaimDeviceStatus"),
		ConsumableCapacity:   enabled("DRAConsumableCapacity"),
	}
}

// isNodeError is always false: 1.34 knows no errors that concern one node only.
func isNodeError(error) bool { return false }
