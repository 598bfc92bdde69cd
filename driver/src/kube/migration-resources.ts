import { API_GROUP, API_VERSION } from 'cdk8s-dra/model';

import type { Resource } from './resource.js';

const ours = (kind: string, plural: string): Resource => ({ group: API_GROUP, version: API_VERSION, plural, kind, namespaced: false });

export const DEVICE_HOLDS = ours('DeviceHold', 'deviceholds');
export const DEVICE_MIGRATIONS = ours('DeviceMigration', 'devicemigrations');
export const DEVICE_ROUTINGS = ours('DeviceRouting', 'deviceroutings');
