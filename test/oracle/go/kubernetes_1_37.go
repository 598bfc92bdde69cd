//go:build kubernetes1.37

package main

import (
	"errors"

	dracel "k8s.io/dynamic-resource-allocation/cel"
	"k8s.io/dynamic-resource-allocation/structured"
)

const kubernetesMinor = "1.37"

// gateDefaults are those that allocation reads, from pkg/features/kube_features.go; a gate that is not named is off.
var gateDefaults = map[string]bool{
	"DRAAdminAccess":               true,
	"DRAConsumableCapacity":        true,
	"DRADeviceBindingConditions":   true,
	"DRADeviceTaints":              true,
	"DRAPartitionableDevices":      true,
	"DRAPrioritizedList":           true,
	"DRAResourceClaimDeviceStatus": true,
}

func celFeatures(enabled func(string) bool) dracel.Features {
	return dracel.Features{
		EnableConsumableCapacity: enabled("DRAConsumableCapacity"),
		EnableListTypeAttributes: enabled("DRAListTypeAttributes"),
	}
}

// allocatorFeatures does what AllocatorFeatures of the scheduler plugin does.
func allocatorFeatures(enabled func(string) bool) structured.Features {
	return structured.Features{
		AdminAccess:             enabled("DRAAdminAccess"),
		PrioritizedList:         enabled("DRAPrioritizedList"),
		PartitionableDevices:    enabled("DRAPartitionableDevices"),
		DeviceTaints:            enabled("DRADeviceTaints"),
		DeviceBindingAndStatus:  enabled("DRADeviceBindingConditions") && enabled("DRAResourceClaimDeviceStatus"),
		ConsumableCapacity:      enabled("DRAConsumableCapacity"),
		FractionalCapacityRange: enabled("DRAFractionalCapacityRange"),
		ListTypeAttributes:      enabled("DRAListTypeAttributes"),
		OptionalNodeOperations:  enabled("DRAOptionalNodeOperations"),
		DerivedAttributes:       enabled("DRADerivedAttributes"),
		CompatibilityGroups:     enabled("DRADeviceCompatibilityGroups"),
	}
}

func isNodeError(err error) bool { return errors.Is(err, structured.ErrFailedAllocationOnNode) }
