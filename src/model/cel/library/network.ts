/* eslint-disable no-bitwise -- Addresses are bits. */
import { addressText, isMapped, masked, parseAddress } from './address';
import type { Address } from './address';
import { global, member } from './overload';
import type { Library } from './overload';
import { quoted } from '../evaluate/text';
import { CelError, CelObject, NO_SUCH_OVERLOAD } from '../evaluate/value';
import type { Value } from '../evaluate/value';
import { BOOL, CIDR, INT, IP, STRING } from '../types/type';

class CelIp extends CelObject {
  public readonly typeName = 'net.IP';

  public constructor(public readonly address: Address) {
    super();
  }

  public override get size(): number {
    return this.address.bits / 8;
  }

  public equals(other: Value): Value {
    if (!(other instanceof CelIp)) return other instanceof CelError ? other : NO_SUCH_OVERLOAD;
    return sameAddress(this.address, other.address);
  }

  public toText(): string {
    return addressText(this.address);
  }
}

class CelCidr extends CelObject {
  public readonly typeName = 'net.CIDR';

  public constructor(public readonly address: Address, public readonly prefix: number) {
    super();
  }

  public override get size(): number {
    return Math.ceil(this.prefix / 8);
  }

  public equals(other: Value): Value {
    if (!(other instanceof CelCidr)) return other instanceof CelError ? other : NO_SUCH_OVERLOAD;
    return this.prefix === other.prefix && sameAddress(this.address, other.address);
  }

  public toText(): string {
    return `${addressText(this.address)}/${this.prefix}`;
  }

  public contains(address: Address): boolean {
    return address.bits === this.address.bits && masked(address, this.prefix).value === masked(this.address, this.prefix).value;
  }
}

function sameAddress(a: Address, b: Address): boolean {
  return a.bits === b.bits && a.value === b.value;
}

/** IP addresses and networks (`k8s.io/apiserver/pkg/cel/library/ip.go`, `cidr.go`). */
export const NETWORK: Library = {
  overloads: [
    global('ip', 'string_to_ip', [STRING], IP, ip),
    member('family', 'ip_family', [IP], INT, ({ address }: CelIp) => (address.bits === 32 ? 4n : 6n)),
    global('ip.isCanonical', 'ip_is_canonical', [STRING], BOOL, (text: string) => {
      const parsed = ip(text);
      return parsed instanceof CelIp ? parsed.toText() === text : parsed;
    }),
    test('isUnspecified', 'ip_is_unspecified', ({ value }) => value === 0n),
    test('isLoopback', 'ip_is_loopback', isLoopback),
    test('isLinkLocalMulticast', 'ip_is_link_local_multicast', ({ bits, value }) =>
      (bits === 32 ? value >> 8n === 0xe00000n : ((value >> 112n) & 0xff0fn) === 0xff02n)),
    test('isLinkLocalUnicast', 'ip_is_link_local_unicast', isLinkLocalUnicast),
    test('isGlobalUnicast', 'ip_is_global_unicast', (address) =>
      address.value !== 0n && !(address.bits === 32 && address.value === 0xffffffffn)
      && !isLoopback(address) && !isMulticast(address) && !isLinkLocalUnicast(address)),
    global('isIP', 'is_ip', [STRING], BOOL, (text: string) => ip(text) instanceof CelIp),
    global('string', 'ip_to_string', [IP], STRING, (value: CelIp) => value.toText()),
    global('cidr', 'string_to_cidr', [STRING], CIDR, cidr),
    member('containsIP', 'cidr_contains_ip_string', [CIDR, STRING], BOOL, (network: CelCidr, text: string) => containsIp(network, ip(text))),
    member('containsIP', 'cidr_contains_ip_ip', [CIDR, IP], BOOL, containsIp),
    member('containsCIDR', 'cidr_contains_cidr_string', [CIDR, STRING], BOOL, (network: CelCidr, text: string) => containsCidr(network, cidr(text))),
    member('containsCIDR', 'cidr_contains_cidr', [CIDR, CIDR], BOOL, containsCidr),
    member('ip', 'cidr_ip', [CIDR], IP, ({ address }: CelCidr) => new CelIp(address)),
    member('prefixLength', 'cidr_prefix_length', [CIDR], INT, ({ prefix }: CelCidr) => BigInt(prefix)),
    member('masked', 'cidr_masked', [CIDR], CIDR, ({ address, prefix }: CelCidr) => new CelCidr(masked(address, prefix), prefix)),
    global('isCIDR', 'is_cidr', [STRING], BOOL, (text: string) => cidr(text) instanceof CelCidr),
    global('string', 'cidr_to_string', [CIDR], STRING, (value: CelCidr) => value.toText()),
  ],
};

function test(name: string, id: string, holds: (address: Address) => boolean) {
  return member(name, id, [IP], BOOL, ({ address }: CelIp) => holds(address));
}

function isLoopback({ bits, value }: Address): boolean {
  return bits === 32 ? value >> 24n === 127n : value === 1n;
}

function isMulticast({ bits, value }: Address): boolean {
  return bits === 32 ? value >> 28n === 14n : value >> 120n === 0xffn;
}

function isLinkLocalUnicast({ bits, value }: Address): boolean {
  return bits === 32 ? value >> 16n === 0xa9fen : value >> 118n === 0x3fan;
}

function ip(text: string): CelIp | CelError {
  const address = parseAddress(text);
  if (typeof address === 'string') return new CelError(`IP Address ${quoted(text)} parse error during conversion from string: ${address}`);
  if (address.zone !== '') return new CelError(`IP address ${quoted(text)} with zone value is not allowed`);
  if (isMapped(address)) return new CelError(`IPv4-mapped IPv6 address ${quoted(text)} is not allowed`);
  return new CelIp(address);
}

function cidr(text: string): CelCidr | CelError {
  const parsed = parsePrefix(text);
  const prefix = 'network address parse error during conversion from string: ';
  if (typeof parsed === 'string') return new CelError(`${prefix}${prefix}netip.ParsePrefix(${quoted(text)}): ${parsed}`);
  if (isMapped(parsed.address)) return new CelError(`${prefix}IPv4-mapped IPv6 address ${quoted(text)} is not allowed`);
  return parsed;
}

function parsePrefix(text: string): CelCidr | string {
  const slash = text.lastIndexOf('/');
  if (slash < 0) return 'no \'/\'';
  const address = parseAddress(text.slice(0, slash));
  if (typeof address === 'string') return address;
  if (address.zone !== '') return 'IPv6 zones cannot be present in a prefix';
  const bits = text.slice(slash + 1);
  if (!/^(?:\d|[1-9]\d{1,17})$/.test(bits)) return `bad bits after slash: ${quoted(bits)}`;
  return Number(bits) > address.bits ? 'prefix length out of range' : new CelCidr(address, Number(bits));
}

function containsIp(network: CelCidr, other: Value): Value {
  return other instanceof CelIp ? network.contains(other.address) : NO_SUCH_OVERLOAD;
}

function containsCidr(network: CelCidr, other: Value): Value {
  if (!(other instanceof CelCidr)) return other instanceof CelError ? other : NO_SUCH_OVERLOAD;
  return network.prefix <= other.prefix && network.contains(other.address);
}
