import type { ValidatingAdmissionPolicySpec } from '../../../imports/types';
import { API_GROUP } from '../api';
import { celString } from '../cel/literal';

/**
 * Lets an agent's account write the reports about its own node only.
 *
 * A report says that devices are free or held; one node that could speak for others could have their devices handed over.
 */
export function nodeBoundReportsPolicy(username: string): ValidatingAdmissionPolicySpec {
  return {
    failurePolicy: 'Fail',
    matchConstraints: {
      matchPolicy: 'Equivalent',
      namespaceSelector: {},
      objectSelector: {},
      resourceRules: [{
        apiGroups: [API_GROUP],
        apiVersions: ['*'],
        operations: ['CREATE', 'UPDATE', 'DELETE'],
        resources: ['devicenodereports', 'devicenodereports/status'],
        scope: '*',
      }],
    },
    matchConditions: [{ name: 'agent-account', expression: `request.userInfo.username == ${celString(username)}` }],
    variables: [
      { name: 'userNode', expression: 'request.userInfo.?extra[?"authentication.kubernetes.io/node-name"][0].orValue("")' },
      { name: 'report', expression: 'request.operation == "DELETE" ? oldObject : object' },
      // Objects of custom resources are dyn.
      { name: 'reportNode', expression: 'string(variables.report.spec.nodeName)' },
    ],
    validations: [
      {
        expression: 'variables.userNode != ""',
        message: 'The token of this account names no node. Use the token that kubelet mounts into the agent\'s pod.',
      },
      {
        expression: 'variables.userNode == variables.reportNode',
        messageExpression: '"An agent on node \'" + variables.userNode + "\' may write reports about that node only, not about node \'" + '
          + 'variables.reportNode + "\'."',
      },
    ],
  };
}
