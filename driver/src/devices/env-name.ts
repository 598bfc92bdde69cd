/** A device name as part of the name of an environment variable: `nic-0000-3b-00-2` is NIC_0000_3B_00_2. */
export function envName(device: string): string {
  return device.replace(/[^A-Za-z0-9]/g, '_').toUpperCase();
}
