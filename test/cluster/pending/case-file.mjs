// Pods that stay Pending, as data: how to bring one about, what has to be said about it, and what ends it.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parse } from 'yaml';
import { ROOT } from '../../../tools/cluster/layout.mjs';

/**
 * A file of `test/explain/pending`. Names of nodes, drivers, classes and namespaces start with the name of the file, so that cases can share a
 * cluster; objects without a namespace go to the one that is called like the file.
 *
 * @typedef {object} PendingCase
 * @property {string} name of the file
 * @property {string} title what is wrong, for people
 * @property {string} pod `namespace/name`; the namespace is that of the case when it has none
 * @property {string} [since] first minor with such pods
 * @property {string} [until] last minor with such pods
 * @property {string[]} [needs] gates that must be on
 * @property {string[]} [without] gates that must be off
 * @property {boolean} [alone] whether nothing else may be in the cluster meanwhile
 * @property {Step[]} setup
 * @property {Expected} expect
 * @property {Cure[]} [cures] for help that is offered without having been tried
 *
 * @typedef {object} Expected as the answer has to be; texts are parts of those given
 * @property {string} cause name of the cause
 * @property {string[]} [says]
 * @property {string[]} [help] `kind: part of the text`, complete and in order
 * @property {string[]} [others] names of causes
 * @property {string | string[] | null} scheduler what the scheduler says on the pod; null: nothing at all. Of a list any will do
 * @property {Record<string, Partial<Expected>>} [in] what is otherwise in a minor
 * @property {boolean} [bound] whether the pod has a node all the same
 * @property {string} [event] what anybody says in an event about the pod
 *
 * @typedef {object} Cure what somebody does who follows a help
 * @property {string} help its kind, or `kind: part of the text`
 * @property {Step[]} [do]
 * @property {string} [why] it cannot be tried here
 * @property {string[]} [nodes] where the pod then goes; any node by default
 * @property {string} [then] name of the cause that is left, when one help is not enough
 * @property {string} [until] last minor in which this helps
 * @property {string} [since] first minor in which this helps
 *
 * @typedef {object} Step an object to create (with a status it is written too), or one of
 * `delete: {kind, name}` (with `stays` where a finalizer keeps it), `patch: {kind, name}` with `merge`, `again: {kind, name}` with `merge` (deleted and made anew),
 * `gone: {kind, name}` (waits), `seen: {kind, name}` with `says` and `refused: object` (both wait), `freeze: component`,
 * `thaw: component`, `gates: A=false` (starts the control plane again; '' for the gates that it had)
 */

const FOLDER = join(ROOT, 'test', 'explain', 'pending');

/** The cases, sorted by name; all of them, or those named. */
export function readCases(names) {
  const all = readdirSync(FOLDER)
    .filter(file => file.endsWith('.yaml'))
    .sort()
    .map(file => ({ name: basename(file, '.yaml'), ...parse(readFileSync(join(FOLDER, file), 'utf8')) }));
  return names === undefined ? all : all.filter(({ name }) => names.includes(name));
}

/** What is expected of a case in a minor. */
export function expectedIn({ expect }, minor) {
  return { ...expect, ...expect.in?.[minor] };
}

/** Namespace and name of the pod that a case asks about. */
export function podOf({ name, pod }) {
  const [first, second] = pod.split('/');
  return second === undefined ? { namespace: name, name: first } : { namespace: first, name: second };
}
