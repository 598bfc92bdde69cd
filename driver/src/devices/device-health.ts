/** One look at one device, before quiet times and hysteresis. */
export interface DeviceReading {
  readonly device: string;
  readonly health: 'healthy' | 'unhealthy' | 'unknown';
  /** Code of the catalogue, DRA3xx, of an unhealthy device. */
  readonly code?: string;
  readonly message?: string;
}
