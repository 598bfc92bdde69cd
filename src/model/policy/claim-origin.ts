import { bindingSpec, claimRule, matchConstraints, notSystem } from './matching';
import { byController, byControlPlane } from './new-work';
import type { AdmissionPolicy, PolicyScope } from './policy-scope';

export const CLAIM_ORIGIN_POLICY = 'cdk8s-dra-claim-origin';

/** What the scheduler and the claim controller write on claims that they make for a pod; quota and our policies believe it. */
const MARKS = ['resource.kubernetes.io/extended-resource-claim', 'resource.kubernetes.io/pod-claim-name'];

/**
 * Refuses claims that pretend to be made for a pod by the scheduler or the claim controller, and so would count for nobody.
 *
 * A controller of another namespace may own claims, but no more than anybody else make them a pod's.
 */
export function claimOriginPolicy(scope: PolicyScope): AdmissionPolicy {
  const marks = MARKS.map(mark => `"${mark}"`).join(', ');
  const of = (root: string) => `[${marks}].filter(m, m in ${root}.metadata.?annotations.orValue({}))`
    + ` + ${root}.metadata.?ownerReferences.orValue([]).filter(o, o.?controller.orValue(false) && (o.kind == "Pod" || !variables.isController))`
    + '.map(o, "controller " + o.kind + " " + o.name)';
  return {
    name: CLAIM_ORIGIN_POLICY,
    spec: {
      failurePolicy: 'Fail',
      matchConstraints: matchConstraints(notSystem(scope), [claimRule(['resourceclaims'], ['CREATE', 'UPDATE'])]),
      matchConditions: [{ name: 'not-the-control-plane', expression: `!${byControlPlane(scope)}` }],
      variables: [
        { name: 'isController', expression: byController(scope) },
        { name: 'oldMarks', expression: `request.operation == "UPDATE" ? ${of('oldObject')} : []` },
        { name: 'marks', expression: `(${of('object')}).filter(m, !(m in variables.oldMarks))` },
      ],
      validations: [{
        expression: 'variables.marks.size() == 0',
        message: 'This claim pretends to be made by the scheduler or a controller.',
        messageExpression: '"Claim " + object.metadata.?name.orValue(object.metadata.?generateName.orValue("")) + " carries " + variables.marks[0] + ", which only the scheduler and the controllers of Kubernetes write. "'
          + ' + "Leave it out; to get a claim for each pod, name a claim template in the pod."',
        reason: 'Forbidden',
      }],
    },
    binding: bindingSpec(CLAIM_ORIGIN_POLICY, notSystem(scope)),
  };
}
