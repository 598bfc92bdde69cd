package main

import (
	"context"
	"sync"

	"github.com/google/cel-go/cel"

	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/apiserver/pkg/cel/environment"
	dracel "k8s.io/dynamic-resource-allocation/cel"
)

type selectorQuestion struct {
	Expression string          `json:"expression"`
	Device     *selectorDevice `json:"device"`
	EnvType    string          `json:"envType,omitempty"`
	CostLimit  *uint64         `json:"costLimit,omitempty"`
}

type selectorDevice struct {
	Driver                   string                                                    `json:"driver"`
	Attributes               map[resourceapi.QualifiedName]resourceapi.DeviceAttribute `json:"attributes,omitempty"`
	Capacity                 map[resourceapi.QualifiedName]resourceapi.DeviceCapacity  `json:"capacity,omitempty"`
	AllowMultipleAllocations *bool                                                     `json:"allowMultipleAllocations,omitempty"`
}

type selectorAnswer struct {
	Match        *bool   `json:"match,omitempty"`
	CompileError *string `json:"compileError,omitempty"`
	RuntimeError *string `json:"runtimeError,omitempty"`
	Cost         *uint64 `json:"cost,omitempty"`
	MaxCost      *uint64 `json:"maxCost,omitempty"`
	TooComplex   bool    `json:"tooComplex,omitempty"`
	TooLong      bool    `json:"tooLong,omitempty"`
	OutputType   string  `json:"outputType,omitempty"`
}

type compiler interface {
	CompileCELExpression(expression string, options dracel.Options) dracel.CompilationResult
}

var (
	compilersMutex sync.Mutex
	// GetCompiler itself remembers one compiler only; making one takes long.
	compilers = map[dracel.Features]compiler{}
)

func compilerFor(features dracel.Features) compiler {
	compilersMutex.Lock()
	defer compilersMutex.Unlock()
	known, ok := compilers[features]
	if !ok {
		known = dracel.GetCompiler(features)
		compilers[features] = known
	}
	return known
}

func evaluate(ctx context.Context, line []byte, enabled func(string) bool) (*selectorAnswer, error) {
	var q selectorQuestion
	if err := decode(line, &q); err != nil {
		return nil, err
	}
	envType, err := environmentType(q.EnvType)
	if err != nil {
		return nil, err
	}
	var result selectorAnswer
	result.TooLong = len(q.Expression) > resourceapi.CELSelectorExpressionMaxLength
	compiled := compilerFor(celFeatures(enabled)).CompileCELExpression(q.Expression, dracel.Options{EnvType: &envType, CostLimit: q.CostLimit})
	if compiled.Error != nil {
		text := compiled.Error.Error()
		result.CompileError = &text
		return &result, nil
	}
	result.OutputType = compiled.OutputType.String()
	result.MaxCost = &compiled.MaxCost
	result.TooComplex = compiled.MaxCost > resourceapi.CELSelectorExpressionMaxCost
	if q.Device == nil {
		return &result, nil
	}
	match, details, err := compiled.DeviceMatches(ctx, dracel.Device{
		Driver:                   q.Device.Driver,
		AllowMultipleAllocations: q.Device.AllowMultipleAllocations,
		Attributes:               q.Device.Attributes,
		Capacity:                 q.Device.Capacity,
	})
	result.Cost = actualCost(details)
	if err != nil {
		text := err.Error()
		result.RuntimeError = &text
	} else {
		result.Match = &match
	}
	return &result, nil
}

func actualCost(details *cel.EvalDetails) *uint64 {
	if details == nil {
		return nil
	}
	return details.ActualCost()
}

func environmentType(name string) (environment.Type, error) {
	switch name {
	case "", "stored":
		return environment.StoredExpressions, nil
	case "new":
		return environment.NewExpressions, nil
	default:
		return "", &unknownEnvType{name}
	}
}

type unknownEnvType struct{ name string }

func (e *unknownEnvType) Error() string { return "unknown envType " + e.name + ": use stored or new" }
