import type { EnvironmentPart } from './environment';
import { AUTHORIZERS } from './library/authorizer';
import { CONVERSIONS } from './library/conversions';
import { FORMATS, FORMATS_1_34 } from './library/formats';
import { INCLUDES } from './library/includes';
import { LIST_EXTENSIONS, LIST_EXTENSIONS_0_29 } from './library/list-extensions';
import { LISTS } from './library/lists';
import { MAP_INSERTS } from './library/map-insert';
import { NETWORK } from './library/network';
import { OPTIONALS } from './library/optional';
import type { Library } from './library/overload';
import { QUANTITIES } from './library/quantity';
import { REGEX } from './library/regex';
import { SEMVERS } from './library/semver';
import { SETS } from './library/sets';
import { STANDARD } from './library/standard';
import { STRING_FUNCTIONS, STRING_FUNCTIONS_0_29 } from './library/strings';
import { TIME } from './library/time';
import { URLS } from './library/urls';
import { MESSAGES } from './messages/message-type';
import { OPTIONAL_MACROS, SORT_BY_MACRO } from './syntax/binding-macros';
import { STANDARD_MACROS } from './syntax/standard-macros';
import { TWO_VARIABLE_MACROS } from './syntax/two-variable-macros';
import {
  BOOL, BYTES, CIDR, DOUBLE, DURATION, DYN, INT, IP, listType, mapType, NULL, optionalType, STRING, TIMESTAMP, TYPE, typeParameter, UINT,
} from './types/type';
import { compareMinors } from '../target/versions';
import type { Minor } from '../target/versions';

const A = typeParameter('A');
const B = typeParameter('B');

/** A part of Kubernetes' CEL and the release that brought it; older than 1.34 if none is named. */
interface VersionedPart extends EnvironmentPart {
  readonly since?: Minor;
}

/** What all uses of CEL in Kubernetes share (`k8s.io/apiserver/pkg/cel/environment/base.go`), in the order of upstream. */
const BASE: readonly VersionedPart[] = [
  {
    libraries: [STANDARD, CONVERSIONS, TIME],
    macros: STANDARD_MACROS,
    types: [
      BOOL, BYTES, DOUBLE, DURATION, INT, listType(A), mapType(A, B), NULL, STRING, TIMESTAMP, TYPE, UINT,
      ...[...MESSAGES.values()].filter(({ type }) => type.kind === 'struct').map(({ type }) => type),
    ],
  },
  { libraries: [URLS, REGEX, LISTS, AUTHORIZERS] },
  { libraries: [OPTIONALS], macros: OPTIONAL_MACROS, optionalSyntax: true, types: [optionalType(DYN)] },
  { libraries: [QUANTITIES, STRING_FUNCTIONS, SETS, NETWORK, FORMATS], types: [IP, CIDR] },
  { libraries: [MAP_INSERTS], macros: TWO_VARIABLE_MACROS },
  { libraries: [SEMVERS] },
  { libraries: [LIST_EXTENSIONS], macros: [SORT_BY_MACRO], since: '1.34' },
  { libraries: [INCLUDES], since: '1.37' },
];

/**
 * The shared environment of a release.
 *
 * `new` is what the API server takes in new expressions: what the release before had too, so that it can be rolled back.
 * `stored` is everything the release knows.
 */
export function baseParts(minor: Minor, envType: 'stored' | 'new'): readonly EnvironmentPart[] {
  return BASE.filter(({ since }) => since === undefined || isKnown(since, minor, envType)).map((part) => adjusted(part, minor));
}

/** Whether what a release brought can be used in a release. */
function isKnown(since: Minor, minor: Minor, envType: 'stored' | 'new'): boolean {
  const order = compareMinors(since, minor);
  return envType === 'stored' ? order <= 0 : order < 0;
}

/** Libraries of 1.34, and those that changed with cel-go 0.29, which came with 1.37. */
function adjusted(part: VersionedPart, minor: Minor): EnvironmentPart {
  const changed = minor === '1.34' ? OLDER : compareMinors(minor, '1.37') < 0 ? undefined : NEWER;
  return changed === undefined ? part : { ...part, libraries: part.libraries?.map((library) => changed.get(library) ?? library) };
}

const OLDER: ReadonlyMap<Library, Library> = new Map([[FORMATS, FORMATS_1_34]]);
const NEWER: ReadonlyMap<Library, Library> = new Map([
  // `duration(int)` was declared, but never worked.
  [CONVERSIONS, { ...CONVERSIONS, overloads: CONVERSIONS.overloads.filter(({ id }) => id !== 'int64_to_duration') }],
  [LIST_EXTENSIONS, LIST_EXTENSIONS_0_29],
  [STRING_FUNCTIONS, STRING_FUNCTIONS_0_29],
]);
