package main

import (
	"encoding/json"

	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/dynamic-resource-allocation/structured"
)

// allocatedState gathers what is in use, as foreachAllocatedDevice in pkg/scheduler/framework/plugins/dynamicresources does.
// An entry is one allocation result or a claim with an allocation.
func allocatedState(entries []json.RawMessage, consumableCapacity bool) (structured.AllocatedState, error) {
	state := structured.AllocatedState{
		AllocatedDevices:         sets.New[structured.DeviceID](),
		AllocatedSharedDeviceIDs: sets.New[structured.SharedDeviceID](),
		AggregatedCapacity:       structured.NewConsumedCapacityCollection(),
	}
	for _, entry := range entries {
		results, err := allocatedResults(entry)
		if err != nil {
			return state, err
		}
		for _, result := range results {
			if result.AdminAccess != nil && *result.AdminAccess {
				continue
			}
			device := structured.MakeDeviceID(result.Driver, result.Pool, result.Device)
			if !consumableCapacity || result.ShareID == nil {
				state.AllocatedDevices.Insert(device)
				continue
			}
			state.AllocatedSharedDeviceIDs.Insert(structured.MakeSharedDeviceID(device, result.ShareID))
			if result.ConsumedCapacity != nil {
				state.AggregatedCapacity.Insert(structured.NewDeviceConsumedCapacity(device, result.ConsumedCapacity))
			}
		}
	}
	return state, nil
}

func allocatedResults(entry json.RawMessage) ([]resourceapi.DeviceRequestAllocationResult, error) {
	var shape struct {
		Device *string `json:"device"`
	}
	if err := decode(entry, &shape); err != nil {
		return nil, err
	}
	if shape.Device != nil {
		var result resourceapi.DeviceRequestAllocationResult
		err := decode(entry, &result)
		return []resourceapi.DeviceRequestAllocationResult{result}, err
	}
	var claim resourceapi.ResourceClaim
	if err := decode(entry, &claim); err != nil {
		return nil, err
	}
	if claim.Status.Allocation == nil {
		return nil, nil
	}
	return claim.Status.Allocation.Devices.Results, nil
}
