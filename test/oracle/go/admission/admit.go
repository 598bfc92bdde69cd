package main

import (
	"context"
	"encoding/json"
	"sync"
	_ "unsafe" // for go:linkname

	admissionv1 "k8s.io/api/admission/v1"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"
	"k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/authentication/user"
)

// policyQuestion is one request and one policy that matches it.
type policyQuestion struct {
	ID              json.RawMessage               `json:"id,omitempty"`
	Policy          json.RawMessage               `json:"policy"`
	Request         *admissionv1.AdmissionRequest `json:"request"`
	Object          map[string]any                `json:"object,omitempty"`
	OldObject       map[string]any                `json:"oldObject,omitempty"`
	Params          map[string]any                `json:"params,omitempty"`
	NamespaceObject *corev1.Namespace             `json:"namespaceObject,omitempty"`
}

type policyAnswer struct {
	// Decisions are those of the validations in their order, or the one that stands for all.
	Decisions []policyDecision `json:"decisions"`
}

type policyDecision struct {
	Action     validating.PolicyDecisionAction     `json:"action"`
	Evaluation validating.PolicyDecisionEvaluation `json:"evaluation,omitempty"`
	Message    string                              `json:"message,omitempty"`
	Reason     string                              `json:"reason,omitempty"`
}

//go:linkname compilePolicy k8s.io/apiserver/pkg/admission/plugin/policy/validating.compilePolicy
func compilePolicy(policy *registrationv1.ValidatingAdmissionPolicy) validating.Validator

var (
	validatorsMutex sync.Mutex
	// The environments of one policy take long to make.
	validators = map[string]validating.Validator{}
)

func validatorFor(text []byte) (validating.Validator, error) {
	validatorsMutex.Lock()
	defer validatorsMutex.Unlock()
	if known, ok := validators[string(text)]; ok {
		return known, nil
	}
	var policy registrationv1.ValidatingAdmissionPolicy
	if err := decode(text, &policy); err != nil {
		return nil, err
	}
	validator := compilePolicy(&policy)
	validators[string(text)] = validator
	return validator, nil
}

func admit(ctx context.Context, q *policyQuestion) (*policyAnswer, error) {
	validator, err := validatorFor(q.Policy)
	if err != nil {
		return nil, err
	}
	attributes := q.attributes()
	// The objects are of the kind that the policy matched: nothing is converted.
	versioned, err := admission.NewVersionedAttributes(attributes, attributes.GetKind(), nil)
	if err != nil {
		return nil, err
	}
	result := validator.Validate(ctx, attributes.GetResource(), versioned, object(q.Params), q.NamespaceObject, cel.RuntimeCELCostBudget, nil)
	answer := &policyAnswer{Decisions: []policyDecision{}}
	for _, decision := range result.Decisions {
		answer.Decisions = append(answer.Decisions, policyDecision{decision.Action, decision.Evaluation, decision.Message, string(decision.Reason)})
	}
	return answer, nil
}

func (q *policyQuestion) attributes() admission.Attributes {
	r := q.Request
	extra := map[string][]string{}
	for key, values := range r.UserInfo.Extra {
		extra[key] = values
	}
	account := &user.DefaultInfo{Name: r.UserInfo.Username, UID: r.UserInfo.UID, Groups: r.UserInfo.Groups, Extra: extra}
	dryRun := r.DryRun != nil && *r.DryRun
	return admission.NewAttributesRecord(object(q.Object), object(q.OldObject), schema.GroupVersionKind(r.Kind), r.Namespace, r.Name,
		schema.GroupVersionResource(r.Resource), r.SubResource, admission.Operation(r.Operation), r.Options.Object, dryRun, account)
}

func object(fields map[string]any) runtime.Object {
	if fields == nil {
		return nil
	}
	return &unstructured.Unstructured{Object: fields}
}
