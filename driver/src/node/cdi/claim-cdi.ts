import { hasNoEdits } from './cdi-rules.js';
import { lowestCdiVersion } from './cdi-spec.js';
import type { CdiDevice, CdiSpec } from './cdi-spec.js';
import type { RecordedDevice } from '../claims/record/claim-record.js';

/**
 * How the devices of a claim are called in CDI.
 *
 * The kind is `<driver>/claim`; the device `claim-<uid>-<device>`, with a letter in front, since runtimes before CDI 0.5.0 take no digit there.
 */
export class ClaimCdi {
  private readonly vendor: string;

  public constructor(driver: string) {
    // A vendor begins with a letter; a driver name may begin with a digit.
    this.vendor = /^[a-z]/.test(driver) ? driver : `k8s.${driver}`;
  }

  public get kind(): string {
    return `${this.vendor}/claim`;
  }

  /** At most 127 bytes: the vendor has 67, a UID 63 at the very most. */
  public fileName(uid: string): string {
    return `${this.vendor}-claim_${uid}.json`;
  }

  /** The claim of a file of ours, by its name. */
  public uidOf(fileName: string): string | undefined {
    const prefix = `${this.vendor}-claim_`;
    return fileName.startsWith(prefix) && fileName.endsWith('.json') ? fileName.slice(prefix.length, -'.json'.length) : undefined;
  }

  /** Undefined when all that the devices need stands in files of the vendor. */
  public spec(uid: string, devices: readonly RecordedDevice[]): CdiSpec | undefined {
    const own: CdiDevice[] = devices.flatMap((device) => device.prepared === undefined || hasNoEdits(device.prepared.edits)
      ? [] : [{ name: deviceName(uid, device), containerEdits: device.prepared.edits }]);
    if (own.length === 0) return undefined;
    const content = { kind: this.kind, devices: own };
    return { cdiVersion: lowestCdiVersion(content), ...content };
  }

  /** What a container names to get the device; the vendor's come first, so that what is ours may overrule them. */
  public deviceIds(uid: string, device: RecordedDevice): readonly string[] {
    const { edits, vendorCdiDevices } = device.prepared ?? { edits: {}, vendorCdiDevices: [] };
    return [...vendorCdiDevices, ...(hasNoEdits(edits) ? [] : [`${this.kind}=${deviceName(uid, device)}`])];
  }

  /** Devices that a file of ours names, when its record is lost. */
  public devicesIn(content: string, uid: string): readonly string[] {
    const prefix = `claim-${uid}-`;
    return [...new Set([...content.matchAll(/"name":"([a-z0-9._-]+)"/g)]
      .map(([, name = '']) => name)
      .filter((name) => name.startsWith(prefix))
      .map((name) => name.slice(prefix.length).split('.')[0]!))].sort();
  }
}

/** A dot ends the device, since a DNS label has none. */
function deviceName(uid: string, { device, shareId }: RecordedDevice): string {
  return `claim-${uid}-${device}${shareId === undefined ? '' : `.${shareId}`}`;
}
