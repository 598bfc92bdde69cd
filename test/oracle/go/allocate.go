package main

import (
	"context"
	"encoding/json"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	dracel "k8s.io/dynamic-resource-allocation/cel"
	"k8s.io/dynamic-resource-allocation/structured"
)

type allocationQuestion struct {
	Node      *corev1.Node                 `json:"node"`
	Classes   []*resourceapi.DeviceClass   `json:"classes"`
	Slices    []*resourceapi.ResourceSlice `json:"slices"`
	Claims    []*resourceapi.ResourceClaim `json:"claims"`
	Allocated []json.RawMessage            `json:"allocated"`
}

type allocationAnswer struct {
	Allocated bool                            `json:"allocated"`
	Results   *[]resourceapi.AllocationResult `json:"results,omitempty"`
	Error     *string                         `json:"error,omitempty"`
	NodeError *bool                           `json:"nodeError,omitempty"`
}

func allocate(ctx context.Context, line []byte, enabled func(string) bool) (*allocationAnswer, error) {
	var q allocationQuestion
	if err := decode(line, &q); err != nil {
		return nil, err
	}
	if q.Node == nil {
		return nil, fmt.Errorf("node is missing")
	}
	state, err := allocatedState(q.Allocated, enabled("DRAConsumableCapacity"))
	if err != nil {
		return nil, err
	}
	for _, claim := range q.Claims {
		setClaimDefaults(claim)
	}
	results, err := allocateOnNode(ctx, q, state, enabled)
	if err != nil {
		text := err.Error()
		onlyNode := isNodeError(err)
		return &allocationAnswer{Error: &text, NodeError: &onlyNode}, nil
	}
	// As in the scheduler: nothing or less than all means that it does not fit.
	if len(results) != len(q.Claims) {
		return &allocationAnswer{}, nil
	}
	return &allocationAnswer{Allocated: true, Results: &results}, nil
}

func allocateOnNode(
	ctx context.Context, q allocationQuestion, state structured.AllocatedState, enabled func(string) bool,
) ([]resourceapi.AllocationResult, error) {
	cache := dracel.NewCache(100, celFeatures(enabled))
	allocator, err := structured.NewAllocator(ctx, allocatorFeatures(enabled), state, classLister(q.Classes), q.Slices, cache)
	if err != nil {
		return nil, err
	}
	return allocator.Allocate(ctx, q.Node, q.Claims)
}

// setClaimDefaults does what defaults.go and zz_generated.defaults.go of pkg/apis/resource/v1 do for claims; that package is not published.
func setClaimDefaults(claim *resourceapi.ResourceClaim) {
	for i := range claim.Spec.Devices.Requests {
		request := &claim.Spec.Devices.Requests[i]
		if request.Exactly != nil {
			setModeDefaults(&request.Exactly.AllocationMode, &request.Exactly.Count)
			setTolerationDefaults(request.Exactly.Tolerations)
		}
		for j := range request.FirstAvailable {
			setModeDefaults(&request.FirstAvailable[j].AllocationMode, &request.FirstAvailable[j].Count)
			setTolerationDefaults(request.FirstAvailable[j].Tolerations)
		}
	}
}

func setModeDefaults(mode *resourceapi.DeviceAllocationMode, count *int64) {
	if *mode == "" {
		*mode = resourceapi.DeviceAllocationModeExactCount
	}
	if *mode == resourceapi.DeviceAllocationModeExactCount && *count == 0 {
		*count = 1
	}
}

func setTolerationDefaults(tolerations []resourceapi.DeviceToleration) {
	for i := range tolerations {
		if tolerations[i].Operator == "" {
			tolerations[i].Operator = resourceapi.DeviceTolerationOpEqual
		}
	}
}

type classLister []*resourceapi.DeviceClass

func (l classLister) List() ([]*resourceapi.DeviceClass, error) { return l, nil }

// Get words a missing class as the informer's lister of the scheduler does.
func (l classLister) Get(name string) (*resourceapi.DeviceClass, error) {
	for _, class := range l {
		if class.Name == name {
			return class, nil
		}
	}
	return nil, apierrors.NewNotFound(resourceapi.Resource("deviceclass"), name)
}
