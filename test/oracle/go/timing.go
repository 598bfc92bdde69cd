package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	resourceapi "k8s.io/api/resource/v1"
	dracel "k8s.io/dynamic-resource-allocation/cel"
	"k8s.io/dynamic-resource-allocation/structured"
)

// timing says how long upstream takes for a question, for test/bench.
type timing struct {
	ID         json.RawMessage `json:"id,omitempty"`
	InputError string          `json:"inputError,omitempty"`
	// Outcome is the same on both sides if both do the same work.
	Outcome string `json:"outcome"`
	// Nanoseconds of one operation: of all batches the median and the least, and the processor time of the whole process on average.
	Median float64 `json:"median"`
	Min    float64 `json:"min"`
	CPU    float64 `json:"cpu"`
}

// operation does what is measured once, on parsed objects; the number counts the operations.
type operation func(number int) (outcome string)

func timeLine(line []byte, budget time.Duration) timing {
	var q question
	if err := decode(line, &q); err != nil {
		return timing{InputError: err.Error()}
	}
	ctx := context.Background()
	var op operation
	var err error
	switch q.Kind {
	case "eval":
		op, err = evaluation(ctx, line, gates(q.Features))
	case "compile":
		op, err = compilation(line, gates(q.Features))
	case "allocate":
		op, err = allocation(ctx, line, gates(q.Features))
	default:
		err = fmt.Errorf("unknown kind %q", q.Kind)
	}
	if err != nil {
		return timing{ID: q.ID, InputError: err.Error()}
	}
	result := measure(op, budget)
	result.ID = q.ID
	return result
}

// measure runs batches of a few milliseconds, so that a moment in which the machine does something else spoils one of many.
func measure(op operation, budget time.Duration) timing {
	outcome := op(0)
	size, number := 1, 1
	batch := func() time.Duration {
		start := time.Now()
		for range size {
			op(number)
			number++
		}
		return time.Since(start)
	}
	for took := batch(); took < 2*time.Millisecond; took = batch() {
		size *= 2
	}
	for start := time.Now(); time.Since(start) < budget/4; {
		batch()
	}
	var perOperation []float64
	before, done, start := processorTime(), 0, time.Now()
	for len(perOperation) < 5 || time.Since(start) < budget {
		perOperation = append(perOperation, float64(batch().Nanoseconds())/float64(size))
		done += size
	}
	cpu := float64(processorTime()-before) / float64(done)
	slices.Sort(perOperation)
	return timing{Outcome: outcome, Median: perOperation[len(perOperation)/2], Min: perOperation[0], CPU: cpu}
}

func processorTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

func evaluation(ctx context.Context, line []byte, enabled func(string) bool) (operation, error) {
	var q selectorQuestion
	if err := decode(line, &q); err != nil {
		return nil, err
	}
	compiled := compilerFor(celFeatures(enabled)).CompileCELExpression(q.Expression, dracel.Options{DisableCostEstimation: true})
	if compiled.Error != nil {
		return nil, compiled.Error
	}
	device := dracel.Device{
		Driver:                   q.Device.Driver,
		AllowMultipleAllocations: q.Device.AllowMultipleAllocations,
		Attributes:               q.Device.Attributes,
		Capacity:                 q.Device.Capacity,
	}
	return func(int) string {
		match, _, err := compiled.DeviceMatches(ctx, device)
		if err != nil {
			return err.Error()
		}
		return strconv.FormatBool(match)
	}, nil
}

// compilation estimates the cost too, as the API server does. `{n}` in an expression makes each one another.
func compilation(line []byte, enabled func(string) bool) (operation, error) {
	var q selectorQuestion
	if err := decode(line, &q); err != nil {
		return nil, err
	}
	compiler := compilerFor(celFeatures(enabled))
	return func(number int) string {
		compiled := compiler.CompileCELExpression(strings.ReplaceAll(q.Expression, "{n}", strconv.Itoa(number)), dracel.Options{})
		if compiled.Error != nil {
			return compiled.Error.Error()
		}
		return compiled.OutputType.String()
	}, nil
}

// allocation makes the allocator once, as the scheduler does for a pod, and allocates on one node.
func allocation(ctx context.Context, line []byte, enabled func(string) bool) (operation, error) {
	var q allocationQuestion
	if err := decode(line, &q); err != nil {
		return nil, err
	}
	state, err := allocatedState(q.Allocated, enabled("DRAConsumableCapacity"))
	if err != nil {
		return nil, err
	}
	for _, claim := range q.Claims {
		setClaimDefaults(claim)
	}
	cache := dracel.NewCache(100, celFeatures(enabled))
	allocator, err := structured.NewAllocator(ctx, allocatorFeatures(enabled), state, classLister(q.Classes), q.Slices, cache)
	if err != nil {
		return nil, err
	}
	return func(int) string {
		results, err := allocator.Allocate(ctx, q.Node, q.Claims)
		if err != nil {
			return err.Error()
		}
		return allocationOutcome(results)
	}, nil
}

// allocationOutcome lists the last device of every claim.
func allocationOutcome(results []resourceapi.AllocationResult) string {
	names := make([]string, 0, len(results))
	for _, result := range results {
		if devices := result.Devices.Results; len(devices) > 0 {
			names = append(names, devices[len(devices)-1].Device)
		}
	}
	return strings.Join(names, " ")
}
