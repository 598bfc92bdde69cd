// Generated from src/model/drivers by tools/profiles/generate.mjs; edit the facts there.
export * from './agent-fpga';
export * from './agent-gpu';
export * from './agent-nic';
export * from './agent-sim';
export * from './amd-gpu';
export * from './dra-cpu';
export * from './dranet';
export * from './example-cpu';
export * from './example-gpu';
export * from './example-net';
export * from './google-tpu';
export * from './intel-gaudi';
export * from './intel-gpu';
export * from './intel-qat';
export * from './nvidia-compute-domain';
export * from './nvidia-gpu';
export * from './sriov';
