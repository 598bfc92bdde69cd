import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { DriverProcess } from './driver-process.js';
import { FakeKubelet, until } from '../kubelet/fake-kubelet.js';

export const PLAYED_DRIVER = 'sim.example.com';
export const PLAYED_NODE = { metadata: { name: 'node-1', uid: 'uid-1', labels: { 'cdk8s-dra.dev/sim-owner': 'dra' } } };
/** Of the first agent; others count on. */
const POD_UID = '00000000-0000-4000-8000-';

export interface AgentSettings {
  readonly env?: Readonly<Record<string, string>>;
  /** Of Node, before the program. */
  readonly args?: readonly string[];
  /** Other fields of the configuration. */
  readonly [field: string]: unknown;
}

/** A node whose kubelet and API server are played and whose disk is real, for drivers that run as processes. */
export class PlayedNode {
  public readonly root = mkdtempSync(join(tmpdir(), 'n'));
  public readonly cdi = join(this.root, 'cdi');
  public readonly data = join(this.root, 'k', 'plugins', PLAYED_DRIVER);
  public readonly kubeconfig = join(this.root, 'kubeconfig');
  public readonly kubelet = new FakeKubelet({ root: join(this.root, 'k') });
  private readonly drivers: DriverProcess[] = [];
  private agents = 0;

  /** @param server URL of the API server */
  public constructor(server: string) {
    mkdirSync(this.cdi);
    mkdirSync(this.data, { recursive: true });
    writeFileSync(this.kubeconfig, JSON.stringify({
      'apiVersion': 'v1',
      'kind': 'Config',
      'current-context': 'c',
      'contexts': [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
      'clusters': [{ name: 'c', cluster: { server } }],
      'users': [{ name: 'u', user: {} }],
    }));
    this.kubelet.start();
  }

  /** Our agent from its bundle. `devices` are the settings of the simulated backend. */
  public startAgent(bundle: string, devices: object, { env = {}, args = [], ...more }: AgentSettings = {}): DriverProcess {
    const config = join(this.root, 'agent.yaml');
    writeFileSync(config, JSON.stringify({
      apiVersion: 'cdk8s-dra.dev/v1alpha1',
      kind: 'NodeAgentConfiguration',
      driverName: PLAYED_DRIVER,
      family: 'sim',
      devices: { backend: 'simulated', ...devices },
      kubeletRoot: join(this.root, 'k'),
      cdiRoot: this.cdi,
      http: { address: '127.0.0.1', port: 0 },
      ...more,
    }));
    this.agents++;
    return this.start(process.execPath, [...args, bundle, '--config', config, '--node', PLAYED_NODE.metadata.name, '--kubeconfig', this.kubeconfig], {
      POD_UID: `${POD_UID}${String(this.agents).padStart(12, '0')}`, POD_NAME: `agent-${this.agents}`, ...env,
    });
  }

  public start(command: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): DriverProcess {
    const driver = DriverProcess.start(command, args, env);
    this.drivers.push(driver);
    return driver;
  }

  /** Kubelet has the driver, and no other one. */
  public async registered(milliseconds = 30_000): Promise<void> {
    await until('kubelet has the driver', () => this.kubelet.connected.length === 1 && this.kubelet.registered.length === 1, milliseconds).catch((error: Error) => {
      throw new Error(`${error.message}. The driver said: ${this.drivers.at(-1)?.log.slice(-2000) ?? ''}`);
    });
  }

  public async remove(): Promise<void> {
    for (const driver of this.drivers) await driver.end('SIGKILL');
    await this.kubelet.stop();
    rmSync(this.root, { recursive: true });
  }
}
