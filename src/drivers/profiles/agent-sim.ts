// Generated from src/model/drivers by tools/profiles/generate.mjs; edit the facts there.
import { KnownDriver, type DriverProfileOptions } from '../known-driver';

/** Devices as driver `sim.cdk8s-dra.dev` of the node agent of this project publishes them. */
export class AgentSim extends KnownDriver {

  public constructor(options: DriverProfileOptions = {}) {
    super('agent-sim', options);
  }
}
