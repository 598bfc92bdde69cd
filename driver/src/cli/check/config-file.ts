import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { nearest } from 'cdk8s-dra/model';
import type { Severity } from 'cdk8s-dra/model';

import { UsageError } from '../command.js';
import { SEVERITIES } from './check-result.js';
import { CONFIG_FILE } from './defaults.js';
import type { IgnoreEntry } from './ignore-list.js';
import { DocumentError } from '../input/document-error.js';
import { LineIndex } from '../input/document-positions.js';
import { readFileBytes } from '../input/file-bytes.js';
import { parseYamlDocument } from '../input/yaml-document.js';

/** What a project sets once for all its checks; absent fields have the defaults of the options. */
export interface CheckConfig {
  readonly kubernetes?: string;
  /** As on the command line: `DRADeviceTaints=true,kubelet:DRAExtendedResource=false`. */
  readonly featureGates?: string;
  readonly ignore?: readonly IgnoreEntry[];
  readonly failOn?: Severity;
}

/** The settings in `file`, or in the usual file if that exists. Throws UsageError for anything it does not understand. */
export function readConfig(file: string | undefined, workingDirectory: string): CheckConfig {
  if (file === undefined && !existsSync(join(workingDirectory, CONFIG_FILE))) return {};
  const name = file ?? CONFIG_FILE;
  const bytes = readFileBytes(file ?? join(workingDirectory, CONFIG_FILE));
  if (!Buffer.isBuffer(bytes)) throw new UsageError(`${name}: ${bytes.message} Name a file with settings by --config.`);
  const text = bytes.toString('utf8');
  try {
    const { value, duplicates } = parseYamlDocument(text);
    const twice = duplicates[0];
    if (twice !== undefined) throw new DocumentError('syntax', `the key '${twice.key}' stands twice`, twice.offset, 'Remove one of the two.');
    return new ConfigReader(name).config(value ?? {});
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    const { line, column } = new LineIndex(text).position(error.offset);
    throw new UsageError(`${name}:${line}:${column}: ${error.message}. ${error.help}`);
  }
}

class ConfigReader {
  public constructor(private readonly name: string) {}

  public config(value: unknown): CheckConfig {
    const fields = this.fields(value, 'the file', ['kubernetes', 'featureGates', 'ignore', 'failOn']);
    return {
      ...fields.kubernetes === undefined ? {} : { kubernetes: this.version(fields.kubernetes) },
      ...fields.featureGates === undefined ? {} : { featureGates: this.gates(fields.featureGates) },
      ...fields.ignore === undefined ? {} : { ignore: this.list(fields.ignore).map((entry, index) => this.entry(entry, `ignore[${index}]`)) },
      ...fields.failOn === undefined ? {} : { failOn: this.severity(fields.failOn) },
    };
  }

  private entry(value: unknown, place: string): IgnoreEntry {
    const { code, path, object, reason } = this.fields(value, place, ['code', 'path', 'object', 'reason']);
    return {
      code: this.text(code, `${place}.code`),
      ...path === undefined ? {} : { path: this.text(path, `${place}.path`) },
      ...object === undefined ? {} : { object: this.text(object, `${place}.object`) },
      reason: this.text(reason, `${place}.reason`),
    };
  }

  private fields(value: unknown, place: string, known: readonly string[]): Record<string, unknown> {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw this.error(`${place} must be a mapping with ${known.join(', ')}`);
    for (const field of Object.keys(value)) {
      if (known.includes(field)) continue;
      const meant = nearest(field, known);
      throw this.error(`${place} has no setting '${field}'${meant === undefined ? `; it has ${known.join(', ')}` : `, did you mean '${meant}'?`}`);
    }
    return value as Record<string, unknown>;
  }

  private version(value: unknown): string {
    // 1.40 without quotes is the number 1.4: only versions that read the same both ways are taken.
    if (typeof value === 'number' && /^1\.\d*[1-9]$/.test(String(value))) return String(value);
    if (typeof value === 'string') return value;
    throw this.error("kubernetes must be a version in quotes, e.g. kubernetes: '1.34'");
  }

  private gates(value: unknown): string {
    if (typeof value === 'string') return value;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw this.error('featureGates must be a mapping of gates to true or false');
    return Object.entries(value).map(([gate, on]) => {
      if (typeof on !== 'boolean') throw this.error(`featureGates.${gate} must be true or false`);
      return `${gate}=${on}`;
    }).join(',');
  }

  private list(value: unknown): unknown[] {
    if (!Array.isArray(value)) throw this.error('ignore must be a list of entries with code and reason');
    return value;
  }

  private severity(value: unknown): Severity {
    const found = SEVERITIES.find((severity) => severity === value);
    if (found === undefined) throw this.error(`failOn must be one of ${SEVERITIES.join(', ')}`);
    return found;
  }

  private text(value: unknown, place: string): string {
    if (typeof value !== 'string' || value === '') throw this.error(`${place} must be a text that is not empty`);
    return value;
  }

  private error(message: string): UsageError {
    return new UsageError(`${this.name}: ${message}`);
  }
}
