import type { ConfigField, ConfigKind, ConfigShape } from './config-kind';

// api/nvidia.com/resource/v1beta1: gpuconfig.go, migconfig.go, vfiodeviceconfig.go, iommu.go, sharing.go, validate.go, computedomainconfig.go

const API_VERSION = 'resource.nvidia.com/v1beta1';

const MPS_CONFIG: ConfigField = {
  name: 'mpsConfig',
  type: 'object',
  description: 'Settings of the MPS control daemon that is started for the claim. Only with strategy MPS.',
  shape: {
    fields: [
      {
        name: 'defaultActiveThreadPercentage',
        type: 'int',
        minimum: 0,
        maximum: 100,
        description: 'Share of the threads that each client may use, in percent.',
      },
      {
        name: 'defaultPinnedDeviceMemoryLimit',
        type: 'quantity',
        least: '1Mi',
        description: 'Pinned memory that each client may use on every device of the claim; counted in whole MiB, so at least 1Mi.',
      },
      {
        name: 'defaultPerDevicePinnedMemoryLimit',
        type: 'map',
        items: { type: 'quantity', least: '1Mi' },
        description: 'The same limit per device. Keys are device UUIDs, or positions of the devices in the claim from 0.',
      },
      { name: 'multiUser', type: 'bool', description: 'Lets clients of different user ids share the daemon.' },
    ],
  },
};

const STRATEGY: ConfigField = {
  name: 'strategy',
  type: 'string',
  required: true,
  values: [{ value: 'TimeSlicing', gate: 'TimeSlicingSettings' }, { value: 'MPS', gate: 'MPSSupport', notWithSharedDevices: true }],
  description: 'How the holders of one claim share the device.',
};

const GPU_SHARING: ConfigShape = {
  fields: [
    STRATEGY,
    {
      name: 'timeSlicingConfig',
      type: 'object',
      description: 'Length of a time slice. Only with strategy TimeSlicing.',
      shape: {
        fields: [{
          name: 'interval',
          type: 'string',
          // The type makes it optional, but the driver's check reads it without looking whether it is there.
          required: true,
          values: [{ value: 'Default' }, { value: 'Short' }, { value: 'Medium' }, { value: 'Long' }],
          description: 'Length class of a time slice. Leave out the whole timeSlicingConfig for the default.',
        }],
      },
    },
    MPS_CONFIG,
  ],
  rules: [
    {
      when: { path: 'strategy', equals: 'TimeSlicing' },
      refuses: 'mpsConfig',
      rule: 'set with strategy TimeSlicing',
      help: "Remove 'mpsConfig', or set 'strategy' to 'MPS'.",
    },
    {
      when: { path: 'strategy', equals: 'MPS' },
      refuses: 'timeSlicingConfig',
      rule: 'set with strategy MPS',
      help: "Remove 'timeSlicingConfig', or set 'strategy' to 'TimeSlicing'.",
    },
  ],
};

const MIG_SHARING: ConfigShape = {
  fields: [STRATEGY, MPS_CONFIG],
  rules: [{
    when: { path: 'strategy', equals: 'TimeSlicing' },
    refuses: 'mpsConfig',
    rule: 'set with strategy TimeSlicing',
    help: "Remove 'mpsConfig', or set 'strategy' to 'MPS'. Time slices of MIG devices have no settings.",
  }],
};

/** Opaque configs of `gpu.nvidia.com`. */
export const NVIDIA_GPU_CONFIG_KINDS: readonly ConfigKind[] = [
  {
    apiVersion: API_VERSION,
    kind: 'GpuConfig',
    unknownFields: 'refused',
    devices: ['gpu'],
    description: 'Sharing of whole GPUs.',
    fields: [
      { name: 'sharing', type: 'object', shape: GPU_SHARING, description: 'How the holders of the claim share the GPU; absent means no setting.' },
    ],
  },
  {
    apiVersion: API_VERSION,
    kind: 'MigDeviceConfig',
    unknownFields: 'refused',
    devices: ['mig'],
    description: 'Sharing of MIG devices. Unlike GpuConfig it has no timeSlicingConfig.',
    fields: [{ name: 'sharing', type: 'object', shape: MIG_SHARING, description: 'How the holders of the claim share the MIG device.' }],
  },
  {
    apiVersion: API_VERSION,
    kind: 'VfioDeviceConfig',
    gate: 'PassthroughSupport',
    unknownFields: 'refused',
    devices: ['vfio'],
    description: 'How a GPU is passed through to a virtual machine.',
    fields: [{
      name: 'iommu',
      type: 'object',
      description: 'Choice of the IOMMU interface; absent means LegacyOnly without the API device.',
      shape: {
        fields: [
          {
            name: 'backendPolicy',
            type: 'string',
            values: [{ value: 'LegacyOnly' }, { value: 'PreferIommuFD' }],
            description: 'Whether iommufd is used where the host has it; LegacyOnly if absent.',
          },
          {
            name: 'enableAPIDevice',
            type: 'bool',
            description: 'Adds /dev/iommu or /dev/vfio/vfio to the container; false if absent.',
          },
        ],
      },
    }],
  },
];

/** Opaque configs of `compute-domain.nvidia.com`; the driver's controller writes them into the templates it makes. */
export const NVIDIA_COMPUTE_DOMAIN_CONFIG_KINDS: readonly ConfigKind[] = [
  {
    apiVersion: API_VERSION,
    kind: 'ComputeDomainChannelConfig',
    unknownFields: 'refused',
    devices: ['channel'],
    description: 'Ties an IMEX channel to a ComputeDomain.',
    fields: [
      { name: 'domainID', type: 'string', required: true, minimum: 1, description: 'UID of the ComputeDomain.' },
      {
        name: 'allocationMode',
        type: 'string',
        values: [{ value: 'Single' }, { value: 'All' }],
        description: 'Whether one channel or all channels of the node are given to the container.',
      },
    ],
  },
  {
    apiVersion: API_VERSION,
    kind: 'ComputeDomainDaemonConfig',
    unknownFields: 'refused',
    devices: ['daemon'],
    description: 'Ties the IMEX daemon of a node to a ComputeDomain.',
    fields: [{ name: 'domainID', type: 'string', required: true, minimum: 1, description: 'UID of the ComputeDomain.' }],
  },
];
