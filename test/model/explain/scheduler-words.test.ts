import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { viewOf } from './case-file';
import { lastWord, meaningOf } from '../../../src/model/explain/scheduler-words';
import { failureOf } from '../../../src/model/failures';
import { MINORS } from '../../../src/model/target';

interface Text {
  readonly text: string;
  readonly minors: readonly string[];
  /** Name of a failure, or null where the text alone says nothing. */
  readonly means: string | null;
}

/** Every text that the plugin and the allocator can put on a pod, by minor, with sample values filled in. */
const TEXTS = parse(readFileSync(join(__dirname, 'scheduler-texts.yaml'), 'utf8')) as readonly Text[];

test.each(TEXTS.map(one => [one.text, one] as const))('%s', (text, { means }) => {
  const whole = `0/3 nodes are available: 1 ${text}, 2 node(s) had untolerated taint(s). preemption: 0/3 nodes are available`;

  for (const message of [text, whole, `running "DynamicResources" filter plugin: ${text}`]) {
    const cause = meaningOf(message)?.cause;
    expect(cause === undefined ? null : failureOf(cause).name).toBe(means);
  }
});

test('the texts are of minors that are known', () => {
  for (const { minors } of TEXTS) expect(MINORS.filter(minor => minors.includes(minor))).toEqual(minors);
});

test('what has nothing to do with devices has no meaning here', () => {
  expect(meaningOf('0/3 nodes are available: 3 Insufficient cpu. preemption: 0/3 nodes are available: 3 No preemption victims found')).toBeUndefined();
});

test('the condition of the pod is its last word, then the last event, and a gate is none', () => {
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', namespace: 'ml' } };
  const event = (name: string, lastTimestamp: string, message: string): object => ({
    apiVersion: 'v1', kind: 'Event', metadata: { name, namespace: 'ml' }, involvedObject: { kind: 'Pod', namespace: 'ml', name: 'p' }, reason: 'FailedScheduling', lastTimestamp, message,
  });
  const events = [event('b', '2026-01-01T00:00:01Z', 'running "DynamicResources" filter plugin: x'), event('a', '2026-01-01T00:00:00Z', '0/1 nodes are available: 1 y')];
  const wordOf = (conditions: readonly object[]): unknown => {
    const view = viewOf([{ ...pod, status: { conditions } }, ...events] as never);
    return lastWord(view, view.all('Pod')[0]);
  };

  expect(wordOf([])).toEqual({ message: 'running "DynamicResources" filter plugin: x', isError: true, time: '2026-01-01T00:00:01Z' });
  expect(wordOf([{ type: 'PodScheduled', status: 'False', reason: 'SchedulingGated', message: 'gated' }])).toMatchObject({ isError: true });
  expect(wordOf([{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: '0/1 nodes', lastTransitionTime: 't' }])).toEqual({ message: '0/1 nodes', isError: false, time: 't' });
});
