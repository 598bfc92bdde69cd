import type { ValidatingAdmissionPolicySpec } from '../../../imports/types';
import { celString } from '../cel/literal';

/**
 * Lets a driver's account write the slices of its own node and driver only.
 *
 * RBAC cannot say "of your own node", so without it one compromised node could publish or delete the devices of all.
 * The node is taken from the token, which kubelet binds to pod and node (ServiceAccountTokenPodNodeInfo, stable since 1.32).
 */
export function nodeBoundSlicesPolicy(username: string, driverName: string): ValidatingAdmissionPolicySpec {
  return {
    failurePolicy: 'Fail',
    matchConstraints: {
      // Defaults are written out: this part has one owner in server-side apply, and a second manager would meet a conflict.
      matchPolicy: 'Equivalent',
      namespaceSelector: {},
      objectSelector: {},
      resourceRules: [{
        apiGroups: ['resource.k8s.io'],
        // Every version that 1.34 to 1.37 can serve: one left out would be a way around.
        apiVersions: ['v1', 'v1beta1', 'v1beta2'],
        operations: ['CREATE', 'UPDATE', 'DELETE'],
        resources: ['resourceslices'],
        scope: '*',
      }],
    },
    matchConditions: [{ name: 'driver-account', expression: `request.userInfo.username == ${celString(username)}` }],
    variables: [
      { name: 'userNode', expression: 'request.userInfo.?extra[?"authentication.kubernetes.io/node-name"][0].orValue("")' },
      { name: 'slice', expression: 'request.operation == "DELETE" ? oldObject : object' },
      { name: 'sliceNode', expression: 'variables.slice.spec.?nodeName.orValue("")' },
    ],
    validations: [
      {
        expression: 'variables.userNode != ""',
        message: 'The token of this account names no node. Use the token that kubelet mounts into the driver\'s pod.',
      },
      {
        expression: 'variables.userNode == variables.sliceNode',
        messageExpression: '"A driver on node \'" + variables.userNode + "\' may write slices of that node only, not of " + '
          + '(variables.sliceNode == "" ? "the cluster" : "node \'" + variables.sliceNode + "\'") + "."',
      },
      {
        expression: `variables.slice.spec.driver == ${celString(driverName)}`,
        message: `This account may write slices of driver ${driverName} only.`,
      },
    ],
  };
}
