/* eslint-disable no-bitwise -- A location id is made of bits. */
import type { HostReader } from '../host/host-reader.js';
import { keyValues, wholeNumber } from '../host/key-values.js';

/** A GPU, or a partition of one, as AMD's compute driver sees it. */
export interface KfdNode {
  /** PCI address of the card without its function. */
  readonly slot: string;
  /** Which partition of the card it is; 0 of one that is not partitioned. */
  readonly partition: number;
  readonly renderMinor: number;
  /** Hexadecimal; equal for all partitions of a card. */
  readonly uniqueId?: string;
  /** Hexadecimal; equal for all cards that are linked by XGMI. */
  readonly hiveId?: string;
  /** `gfx942` */
  readonly gfx?: string;
  readonly computeUnits?: number;
  readonly memoryBytes?: string;
}

const NODES = '/sys/class/kfd/kfd/topology/nodes';

/**
 * The GPUs of the kernel's compute topology. CPUs are nodes too, without a render node.
 *
 * Layout and fields: drivers/gpu/drm/amd/amdkfd/kfd_topology.c, and real machines in testdata of ROCm/k8s-device-plugin (ed76468).
 */
export async function kfdNodes(host: HostReader, signal: AbortSignal): Promise<KfdNode[]> {
  const found: KfdNode[] = [];
  for (const node of await host.list(NODES)) {
    signal.throwIfAborted();
    const text = await host.text(`${NODES}/${node}/properties`);
    if (text === undefined) continue;
    const facts = keyValues(text);
    const number = (name: string): number | undefined => wholeNumber(facts.get(name));
    const [renderMinor = 0, location, domain = 0] = [number('drm_render_minor'), number('location_id'), number('domain')];
    if (renderMinor === 0 || location === undefined) continue;
    const [simds, simdsPerUnit] = [number('simd_count') ?? 0, number('simd_per_cu') ?? 0];
    const [uniqueId, hiveId] = [hex(facts.get('unique_id')), hex(facts.get('hive_id'))];
    const gfx = gfxName(number('gfx_target_version') ?? 0);
    const memoryBytes = await localMemory(host, `${NODES}/${node}/mem_banks`);
    found.push({
      slot: `${digits(domain, 4)}:${digits((location >> 8) & 0xff, 2)}:${digits((location >> 3) & 0x1f, 2)}`,
      partition: location & 7,
      renderMinor,
      ...(uniqueId !== undefined && { uniqueId }),
      ...(hiveId !== undefined && { hiveId }),
      ...(gfx !== undefined && { gfx }),
      ...(simdsPerUnit > 0 && simds % simdsPerUnit === 0 && { computeUnits: simds / simdsPerUnit }),
      ...(memoryBytes !== undefined && { memoryBytes }),
    });
  }
  return found;
}

/** Memory of the card itself: banks of heap type 1 (public) and 2 (private). */
async function localMemory(host: HostReader, folder: string): Promise<string | undefined> {
  let bytes = 0n;
  for (const bank of await host.list(folder)) {
    const facts = keyValues(await host.text(`${folder}/${bank}/properties`) ?? '');
    const size = facts.get('size_in_bytes');
    if (/^[12]$/.test(facts.get('heap_type') ?? '') && size !== undefined && /^\d{1,18}$/.test(size)) bytes += BigInt(size);
  }
  return bytes === 0n ? undefined : String(bytes);
}

/** 90402 is 9.4.2 and called gfx942; 90010 is gfx90a. */
function gfxName(version: number): string | undefined {
  if (version === 0) return undefined;
  return `gfx${Math.floor(version / 10_000)}${(Math.floor(version / 100) % 100).toString(16)}${(version % 100).toString(16)}`;
}

/** Ids are 64 bits wide and printed in decimal; zero is none. */
function hex(text: string | undefined): string | undefined {
  if (text === undefined || !/^\d{1,20}$/.test(text) || BigInt(text) === 0n) return undefined;
  return BigInt(text).toString(16).padStart(16, '0');
}

function digits(value: number, count: number): string {
  return value.toString(16).padStart(count, '0');
}
