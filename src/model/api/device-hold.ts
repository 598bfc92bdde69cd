import { column, conditions, crd, dnsSubdomain, keyedList, list, object, set, text, time, word } from './crd-schema';
import { type TemplateTexts, templateTextsSchema } from './template-text';
import type { CustomResourceDefinition } from '../../../imports/types';

/** How much a hold stops; each stops what the one before stops, and more. */
export const HOLD_LEVELS = ['Door', 'Allocation', 'Rollback'] as const;
export type HoldLevel = typeof HOLD_LEVELS[number];

/**
 * Stops new work on a pool in the moment it is created; made by people, the CLI or the controller, never synthesized.
 *
 * The policies read it directly, so it works without a controller.
 */
export interface DeviceHoldSpec {
  /** Name of the DeviceMigration. */
  readonly migration: string;
  readonly level: HoldLevel;
  /** Classes that nobody new may ask for. */
  readonly classes?: readonly string[];
  /** Extended resources that nobody new may ask for, e.g. those that a class serves through the bridge. */
  readonly resources?: readonly string[];
  /** The claim templates that ask for a held class: admission cannot read a template. */
  readonly templates?: TemplateTexts;
  /** Pools of a driver from which nothing new is allocated; from level `Allocation` on. */
  readonly fence?: readonly FencedDriver[];
  /** What the refused person is told. */
  readonly message?: string;
  readonly reason: string;
  readonly ticket?: string;
  readonly by?: string;
  /** Admission has no clock: a hold that is over still holds until `release`, or the controller, deletes it. */
  readonly expiresAt?: string;
}

/** Pools of one driver. */
export interface FencedDriver {
  readonly driver: string;
  /** Empty means all of them. */
  readonly pools?: readonly string[];
}

export const HOLD_LIMITS = { classes: 64, resources: 32, drivers: 8, pools: 4096 } as const;

/** CRD of DeviceHold. */
export const DEVICE_HOLD_CRD: CustomResourceDefinition = crd({
  kind: 'DeviceHold',
  plural: 'deviceholds',
  shortName: 'dh',
  scope: 'Cluster',
  columns: [
    column('Migration', '.spec.migration'),
    column('Level', '.spec.level'),
    column('By', '.spec.by'),
    column('Reason', '.spec.reason'),
    column('Expires', '.spec.expiresAt'),
    column('Age', '.metadata.creationTimestamp', 'date'),
  ],
  schema: object({
    spec: object({
      migration: dnsSubdomain(),
      level: word(...HOLD_LEVELS),
      classes: set(dnsSubdomain(), HOLD_LIMITS.classes),
      resources: set(text(317), HOLD_LIMITS.resources),
      templates: templateTextsSchema(),
      fence: keyedList('driver', object({ driver: dnsSubdomain(63), pools: set(text(253), HOLD_LIMITS.pools) }, ['driver']), HOLD_LIMITS.drivers),
      message: text(1024),
      reason: { ...text(1024), minLength: 1 },
      ticket: text(253),
      by: text(253),
      expiresAt: time(),
    }, ['migration', 'level', 'reason'], [
      {
        rule: 'has(self.classes) && self.classes.size() > 0 || has(self.resources) && self.resources.size() > 0 || has(self.fence) && self.fence.size() > 0',
        message: 'must name what it holds: classes, resources or fence. The file hold.yaml of the pool, beside its plan, has them',
      },
      {
        rule: "self.level == 'Door' || has(self.fence) && self.fence.size() > 0",
        message: 'levels Allocation and Rollback need fence: the driver, and its pools where not all are meant',
        fieldPath: '.fence',
      },
    ]),
    status: object({ conditions: conditions(), expired: { type: 'boolean' }, done: list(text(1024), 32), notDone: list(text(1024), 32) }),
  }, ['spec']),
});
