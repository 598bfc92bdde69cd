import { Yaml } from 'cdk8s';
import type { NodeAgentProps } from './node-agent-props';
import { profileForDriver } from '../../model/drivers';
import { AGENT_CONFIGURATION_KIND, AGENT_CONFIGURATION_VERSION, readAgentSettings } from '../../model/settings';
import { describeField, fieldName } from '../../model/strict-reader';

/** Folders and port of an agent, with defaults filled in. */
export interface AgentPlaces {
  readonly kubeletRoot: string;
  readonly cdiRoot: string;
  readonly metricsPort: number;
}

export function agentPlaces({ kubeletRoot = '/var/lib/kubelet', cdiRoot = '/var/run/cdi', metricsPort = 9464 }: NodeAgentProps): AgentPlaces {
  return { kubeletRoot: withoutTrailingSlash(kubeletRoot), cdiRoot: withoutTrailingSlash(cdiRoot), metricsPort };
}

/** Where the host's files are in the container. */
export const HOST_ROOT = '/host';

/** The configuration file, as the agent reads it. */
export function agentConfiguration(props: NodeAgentProps): string {
  return Yaml.stringify(agentSettings(props));
}

/** Every reason for which the agent would refuse its configuration, by the property that gives it; the agent judges by the same code. */
export function agentMistakes(props: NodeAgentProps): string[] {
  const read = readAgentSettings(agentSettings(props));
  return [...driverMistakes(props), ...('value' in read ? [] : read.problems.map(problem => {
    const name = PROPERTIES.reduce((field, [from, to]) => field.replace(from, to), fieldName(problem.path));
    return describeField({ ...problem, path: [name] }, 'the configuration');
  }))];
}

/** A witness watches any driver; what offers devices must not pass for somebody else's driver, nor for one of other hardware. */
function driverMistakes({ driver, devices }: NodeAgentProps): string[] {
  const profile = profileForDriver(driver.driverName);
  if (devices === undefined || profile === undefined) return [];
  const backend = String(devices._section.backend);
  const family = backend === 'simulated' ? 'sim' : backend;
  const help = `Take DriverProfile.agent${family.charAt(0).toUpperCase()}${family.slice(1)}(), or a name of your own with DriverProfile.custom`;
  if (!profile.id.startsWith('agent-')) {
    return [`'driver' must be the agent's own where it offers devices, got ${driver.driverName}, which is another project's. ${help}; for a witness leave 'devices' out.`];
  }
  return profile.id === `agent-${family}` ? [] : [`'driver' must fit the devices, which are of backend ${backend}, got ${driver.driverName}. ${help}.`];
}

/** Fields of the file that a property of another name gives. */
const PROPERTIES: ReadonlyArray<readonly [RegExp, string]> = [
  [/^(devices\.offers\[\d+\]\.bandwidth)\.total$/, '$1.value'],
  [/^(devices\.offers\[\d+\]\.bandwidth|devices\.sharing\[\d+\]\.capacity\..+)\.default$/, '$1.defaultAmount'],
  [/^(devices\.offers\[\d+\]\.match)\.interface$/, '$1.interfaceName'],
  [/^(devices\.partitions\[\d+\])\.fixed\b/, '$1.fixedPartitions'],
  [/^(driverName|family)$/, 'driver.$1'],
  [/^http\.port$/, 'metricsPort'],
];

function agentSettings(props: NodeAgentProps): object {
  const { kubeletRoot, cdiRoot, metricsPort } = agentPlaces(props);
  const roles = [...(props.devices === undefined ? [] : ['driver']), ...(props.witness ?? true ? ['witness'] : [])];
  return {
    apiVersion: AGENT_CONFIGURATION_VERSION,
    kind: AGENT_CONFIGURATION_KIND,
    driverName: props.driver.driverName,
    family: props.driver.family,
    roles,
    ...(props.devices === undefined ? {} : { devices: props.devices._section }),
    kubeletRoot,
    cdiRoot,
    hostRoot: HOST_ROOT,
    ...(props.writesClaimStatus === true && props.devices !== undefined ? { claimStatus: true } : {}),
    http: { port: metricsPort },
  };
}

export function withoutTrailingSlash(folder: string): string {
  return folder.endsWith('/') ? folder.slice(0, -1) : folder;
}
