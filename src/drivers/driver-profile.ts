// Generated from src/model/drivers by tools/profiles/generate.mjs; edit the facts there.
import { DeviceDriver } from '../dra/device-driver';
import type { DriverProfileOptions } from './known-driver';
import { AgentFpga, AgentGpu, AgentNic, AgentSim, AmdGpu, DraCpu, Dranet, ExampleCpu, ExampleGpu, ExampleNet, GoogleTpu, IntelGaudi, IntelGpu, IntelQat, NvidiaComputeDomain, NvidiaGpu, Sriov } from './profiles';

/** A driver that this library has no profile of. */
export interface CustomDriverProps {
  /** Name that the driver registers with kubelet, a DNS subdomain of at most 63 characters. */
  readonly driverName: string;
  /** Kind of device, a DNS label of at most 40 characters, e.g. `fpga`. */
  readonly family: string;
}

/** The drivers that are known, and a way to describe any other. */
export class DriverProfile {
  /** A driver by its name; its attributes are made with `stringAttribute()` and the like. */
  public static custom(props: CustomDriverProps): DeviceDriver {
    return new DeviceDriver(props.driverName, props.family);
  }

  /** Driver `fpga.cdk8s-dra.dev` of the node agent of this project. */
  public static agentFpga(options: DriverProfileOptions = {}): AgentFpga {
    return new AgentFpga(options);
  }

  /** Driver `gpu.cdk8s-dra.dev` of the node agent of this project. */
  public static agentGpu(options: DriverProfileOptions = {}): AgentGpu {
    return new AgentGpu(options);
  }

  /** Driver `nic.cdk8s-dra.dev` of the node agent of this project. */
  public static agentNic(options: DriverProfileOptions = {}): AgentNic {
    return new AgentNic(options);
  }

  /** Driver `sim.cdk8s-dra.dev` of the node agent of this project. */
  public static agentSim(options: DriverProfileOptions = {}): AgentSim {
    return new AgentSim(options);
  }

  /** Driver `gpu.amd.com` of ROCm/k8s-gpu-dra-driver, as of 0.1.0. */
  public static amdGpu(options: DriverProfileOptions = {}): AmdGpu {
    return new AmdGpu(options);
  }

  /** Driver `dra.cpu` of kubernetes-sigs/dra-driver-cpu, as of v0.2.0 and 229 commits. */
  public static draCpu(options: DriverProfileOptions = {}): DraCpu {
    return new DraCpu(options);
  }

  /** Driver `dra.net` of kubernetes-sigs/dranet, as of v1.4.0 and 70 commits. */
  public static dranet(options: DriverProfileOptions = {}): Dranet {
    return new Dranet(options);
  }

  /** Driver `cpu.example.com` of kubernetes-sigs/dra-example-driver, as of 0.4.0 and 6 commits. */
  public static exampleCpu(options: DriverProfileOptions = {}): ExampleCpu {
    return new ExampleCpu(options);
  }

  /** Driver `gpu.example.com` of kubernetes-sigs/dra-example-driver, as of 0.4.0 and 6 commits. */
  public static exampleGpu(options: DriverProfileOptions = {}): ExampleGpu {
    return new ExampleGpu(options);
  }

  /** Driver `net.example.com` of kubernetes-sigs/dra-example-driver, as of 0.4.0 and 6 commits. */
  public static exampleNet(options: DriverProfileOptions = {}): ExampleNet {
    return new ExampleNet(options);
  }

  /** Driver `tpu.google.com` of kubernetes-sigs/dra-driver-google-tpu, as of v0.2.0 and 2 commits. */
  public static googleTpu(options: DriverProfileOptions = {}): GoogleTpu {
    return new GoogleTpu(options);
  }

  /** Driver `gaudi.intel.com` of intel/intel-resource-drivers-for-kubernetes, as of gaudi-v0.7.2. */
  public static intelGaudi(options: DriverProfileOptions = {}): IntelGaudi {
    return new IntelGaudi(options);
  }

  /** Driver `gpu.intel.com` of intel/intel-resource-drivers-for-kubernetes, as of gpu-v0.11.0. */
  public static intelGpu(options: DriverProfileOptions = {}): IntelGpu {
    return new IntelGpu(options);
  }

  /** Driver `qat.intel.com` of intel/intel-resource-drivers-for-kubernetes, as of qat-v0.4.3. */
  public static intelQat(options: DriverProfileOptions = {}): IntelQat {
    return new IntelQat(options);
  }

  /** Driver `compute-domain.nvidia.com` of kubernetes-sigs/dra-driver-nvidia-gpu, as of 0.5.0-dev, with tags v25.3.2, v25.8.1, v25.12.0 and v0.4.1. */
  public static nvidiaComputeDomain(options: DriverProfileOptions = {}): NvidiaComputeDomain {
    return new NvidiaComputeDomain(options);
  }

  /** Driver `gpu.nvidia.com` of kubernetes-sigs/dra-driver-nvidia-gpu, as of 0.5.0-dev, with tags v25.3.2, v25.8.1, v25.12.0 and v0.4.1. */
  public static nvidiaGpu(options: DriverProfileOptions = {}): NvidiaGpu {
    return new NvidiaGpu(options);
  }

  /** Driver `sriovnetwork.k8snetworkplumbingwg.io` of k8snetworkplumbingwg/dra-driver-sriov, as of main; chart 0.0.0-dev. */
  public static sriov(options: DriverProfileOptions = {}): Sriov {
    return new Sriov(options);
  }

  private constructor() {}
}
