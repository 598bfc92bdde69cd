import { API_GROUP, API_VERSION } from '../api';

/** Condition of a DeviceMigration that is true while a node of the pool advertises a device on both ways. */
export const DOUBLE_OWNER_CONDITION = 'DoubleOwner';

/** Waiting is no illness: only two owners are. A script of Argo CD's must not fail on an object without a status. */
const MIGRATION_HEALTH = `local health = {}
local status = obj.status or {}
for _, condition in ipairs(status.conditions or {}) do
  if condition.type == "${DOUBLE_OWNER_CONDITION}" and condition.status == "True" then
    health.status = "Degraded"
    health.message = condition.message
    return health
  end
end
local phase = status.phase or "not started"
local waiting = (status.waitingOn or {})[1]
if status.held == true then
  health.status = "Suspended"
  health.message = "Held in " .. phase
elseif waiting ~= nil then
  health.status = "Healthy"
  health.message = "In " .. phase .. ", waiting on " .. waiting
else
  health.status = "Healthy"
  health.message = "In " .. phase
end
return health
`;

/** Entries of Argo CD's ConfigMap `argocd-cm`: how a migration is doing, and which field of a class is not Git's. */
export function argoCdSettings(): { readonly [key: string]: string } {
  return {
    [`resource.customizations.health.${API_GROUP}_DeviceMigration`]: MIGRATION_HEALTH,
    // Written at run time: replacing the object, or a diff of all fields, must not take the name away.
    'resource.customizations.ignoreDifferences.resource.k8s.io_DeviceClass': 'jsonPointers:\n  - /spec/extendedResourceName\n',
  };
}

/** Entries of `spec.healthCheckExprs` of a Flux Kustomization; Flux applies by server-side apply, so that nothing need be ignored. */
export function fluxHealthChecks(): ReadonlyArray<{ readonly [field: string]: string }> {
  const doubled = `has(status.conditions) && status.conditions.exists(e, e.type == '${DOUBLE_OWNER_CONDITION}' && e.status == 'True')`;
  return [{ apiVersion: `${API_GROUP}/${API_VERSION}`, kind: 'DeviceMigration', current: `!(${doubled})`, failed: doubled }];
}
