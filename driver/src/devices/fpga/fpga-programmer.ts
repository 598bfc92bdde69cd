import type { FpgaImageSettings, FpgaSettings, ProgrammingSettings } from 'cdk8s-dra/model';
import type { BackendHost } from '../backend-host.js';
import { HostReader } from '../host/host-reader.js';
import { NodeFailure } from '../node-failure.js';
import type { FpgaAccess, FoundFpga } from './found-fpga.js';
import { managerFault } from './fpga-manager.js';
import { imageFile } from './image-file.js';
import type { ImageFile } from './image-file.js';
import type { RunProgram } from './run-program.js';
import { fits } from '../name-pattern.js';

/** Programming takes seconds, of a large card a minute. */
const DEFAULT_TIMEOUT_S = 120;

/** Puts images of the platform's list into FPGAs, and the safe one back. */
export class FpgaProgrammer {
  public constructor(private readonly settings: FpgaSettings, private readonly host: BackendHost, private readonly run: RunProgram) {}

  /** Images that were built for the shell of an FPGA, if it can be programmed at all. */
  public imagesFor({ access: { kind }, shellId }: Pick<FoundFpga, 'access' | 'shellId'>): readonly FpgaImageSettings[] {
    if (this.settings.programming?.[kind] === undefined || shellId === undefined) return [];
    return (this.settings.images?.allowed ?? []).filter(({ shells }) => shells.some((shell) => fits(shellId, shell)));
  }

  public image(id: string): FpgaImageSettings | undefined {
    return this.settings.images?.allowed.find((image) => image.id === id);
  }

  /** Whether the FPGA says that an image is in it; undefined when it does not say, or the image does not tell what to look for. */
  public async holds({ functionFile }: FpgaAccess, { functionId }: FpgaImageSettings): Promise<boolean | undefined> {
    if (functionFile === undefined || functionId === undefined) return undefined;
    const now = await new HostReader(this.host.root, () => undefined).text(functionFile);
    return now === undefined ? undefined : sameId(now, functionId);
  }

  /**
   * Loads an image, unless it is in the FPGA already, and makes sure that it operates. When that fails half-way, the safe image is loaded.
   *
   * Ends retryable when the safe image is in, or nothing was touched; with needs-cleanup when not even that could be done.
   */
  public async program(device: string, access: FpgaAccess, image: FpgaImageSettings, safe: FpgaImageSettings): Promise<void> {
    if (await this.holds(access, image) === true && await this.fault(access) === undefined) return;
    const file = await this.file(device, image);
    try {
      await this.load(access, image, file);
    } catch (error) {
      const why = `${device} could not be programmed with ${image.id}: ${messageOf(error)}`;
      await this.makeSafe(device, access, safe, why);
      throw new NodeFailure('DRA358', 'retryable', `${why}. The safe image ${safe.id} is in it again.`, { devices: [device], cause: error });
    }
  }

  /** Loads the safe image, whatever is in the FPGA. */
  public async makeSafe(device: string, access: FpgaAccess, safe: FpgaImageSettings, before?: string): Promise<void> {
    try {
      await this.load(access, safe, await this.file(device, safe));
    } catch (error) {
      const why = `the safe image ${safe.id} could not be loaded into ${device}: ${messageOf(error)}`;
      throw new NodeFailure('DRA359', 'needs-cleanup', `${before === undefined ? '' : `${before}; and `}${why}. Program it by hand and restart the agent.`, { devices: [device], cause: error });
    }
  }

  private async load(access: FpgaAccess, image: FpgaImageSettings, file: ImageFile): Promise<void> {
    const way = this.settings.programming?.[access.kind];
    if (way === undefined) throw new Error(`the settings do not say how FPGAs of kind ${access.kind} are programmed`);
    await this.write(access, way, file);
    const fault = await this.fault(access);
    if (fault !== undefined) throw new Error(fault);
    if (await this.holds(access, image) === false) throw new Error(`it does not have the function ${image.functionId} afterwards`);
  }

  private async fault({ manager }: FpgaAccess): Promise<string | undefined> {
    return manager === undefined ? undefined : managerFault(new HostReader(this.host.root, () => undefined), manager);
  }

  private async write({ manager, address, port }: FpgaAccess, way: ProgrammingSettings, { path, firmwareName }: ImageFile): Promise<void> {
    const timeoutMs = (way.timeoutSeconds ?? DEFAULT_TIMEOUT_S) * 1000;
    if (way.by === 'command') {
      const values: { readonly [name: string]: string | undefined } = { file: path, address, port, manager };
      await this.run(way.command.map((part) => part.replace(/\{(file|address|port|manager)\}/g, (_, name: string) => values[name] ?? '')), timeoutMs);
      return;
    }
    if (manager === undefined) throw new Error('it has no FPGA manager');
    if (way.flags !== undefined) await this.host.root.write(`${manager}/flags`, way.flags, timeoutMs);
    await this.host.root.write(`${manager}/firmware`, firmwareName, timeoutMs);
  }

  private file(device: string, image: FpgaImageSettings): Promise<ImageFile> {
    const { images } = this.settings;
    if (images === undefined) throw new NodeFailure('DRA357', 'retryable', `The image ${image.id} is not loaded into ${device}: the settings name no folder of images.`, { devices: [device] });
    return imageFile(this.host.root, images, image, device);
  }
}

/** UUIDs are written with and without dashes. */
function sameId(a: string, b: string): boolean {
  const plain = (id: string): string => id.toLowerCase().replaceAll('-', '');
  return plain(a) === plain(b);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
