import type { AttributeFact } from './profile';

/** What the cloud plug-ins of `dra.net` add to interfaces, each under a domain of its own. */
export const CLOUD_ATTRIBUTES: readonly AttributeFact[] = [
  ...onCloud('gce.dra.net', 'Google Compute Engine', [
    ['block', 'string', 'Block of the data centre, the widest of three levels.', 'b1f2'],
    ['subBlock', 'string', 'Part of the block, the middle level.', 'c3d4'],
    ['host', 'string', 'Physical machine, the narrowest level.', 'e5f6'],
    ['networkName', 'string', 'Name of the VPC network that the interface is in.', 'gpu-net-1'],
    ['networkProjectNumber', 'int', 'Number of the project that owns the network.', 123456789],
    ['ipAliases', 'string', 'Alias ranges of the interface, comma separated.', '10.0.0.0/24'],
    ['machineType', 'string', 'Machine type.', 'a3-highgpu-8g'],
  ]),
  ...onCloud('azure.dra.net', 'Azure', [
    ['placementGroupId', 'string', 'Placement group of the machine.', 'e4b1c7e2'],
    ['vmSize', 'string', 'Size of the machine.', 'Standard_ND96isr_H100_v5'],
    ['interconnectGroupId', 'string', 'Group of machines with a common interconnect.', '7f3a'],
    ['interconnectSubgroupId', 'string', 'Part of that group.', '7f3a-2'],
  ]),
  ...onCloud('oke.dra.net', 'Oracle Kubernetes Engine', [
    ['hpcIslandId', 'string', 'HPC island, the widest level.', 'ocid1.hpcisland.example'],
    ['networkBlockId', 'string', 'Network block.', 'ocid1.networkblock.example'],
    ['localBlockId', 'string', 'Local block.', 'ocid1.localblock.example'],
    ['rackId', 'string', 'Rack, the narrowest level.', 'ocid1.rack.example'],
    ['gpuMemoryFabricId', 'string', 'NVLink fabric of the machine.', 'ocid1.fabric.example'],
  ]),
  ...onCloud('alibaba.dra.net', 'Alibaba Cloud', [
    ['instanceType', 'string', 'Instance type.', 'ecs.gn8v.6xlarge'],
    ['erdma', 'bool', 'Whether the interface does eRDMA.', true],
  ]),
];

type Row = readonly [id: string, type: AttributeFact['type'], description: string, example: AttributeFact['example']];

function onCloud(domain: string, cloud: string, rows: readonly Row[]): AttributeFact[] {
  const sometimes = `Only on ${cloud}, where its metadata have it.`;
  return rows.map(([id, type, description, example]) => ({ id, domain, type, description, example, sometimes }));
}
