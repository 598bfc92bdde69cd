import type { NodeAgentProps } from './node-agent-props';
import type { PolicyRule } from '../../../imports/types';
import { API_GROUP } from '../../model/api';
import type { Target } from '../../model/target';
import { driverRules } from '../driver-rules';

/** The permissions of an agent, each needed by one of its calls. */
export function agentRules(props: NodeAgentProps, target: Target): PolicyRule[] {
  const { driver, devices, writesClaimStatus = false, witness = true } = props;
  const asDriver = devices === undefined ? [] : driverRules({ driverName: driver.driverName, target, writesClaimStatus, writesEvents: true });
  return [
    ...asDriver,
    // The own node's labels say who owns its devices; RBAC cannot narrow a watch to one node.
    { apiGroups: [''], resources: ['nodes'], verbs: asDriver.length === 0 ? ['get', 'list', 'watch'] : ['list', 'watch'] },
    ...(witness ? REPORTS : []),
  ];
}

const REPORTS: readonly PolicyRule[] = [
  { apiGroups: [API_GROUP], resources: ['devicenodereports'], verbs: ['create'] },
  { apiGroups: [API_GROUP], resources: ['devicenodereports/status'], verbs: ['patch'] },
];
