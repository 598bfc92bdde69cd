import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';

import { strict } from 'cdk8s-dra/model';
import { load, YAMLException } from 'js-yaml';

import { decodeConfiguration } from './agent-configuration.js';
import type { AgentConfiguration } from './agent-configuration.js';

/** A configuration that cannot be used: every reason, a line each. */
export class ConfigurationError extends Error {
  public override readonly name = 'ConfigurationError';
}

/** Reads YAML or JSON; throws ConfigurationError with the file and all that is wrong in it. */
export function readConfiguration(file: string): AgentConfiguration {
  return parseConfiguration(file, contentOf(file));
}

/** `file` is for messages. */
export function parseConfiguration(file: string, text: string): AgentConfiguration {
  const decoded = decodeConfiguration(valueOf(file, text));
  if ('value' in decoded) return decoded.value;
  const lines = decoded.problems.map((problem) => `  ${strict.describeField(problem, 'The file')}`);
  throw new ConfigurationError([`${file}: ${lines.length === 1 ? 'one setting is' : `${lines.length} settings are`} wrong:`, ...lines].join('\n'));
}

function contentOf(file: string): string {
  try {
    const handle = openSync(file, 'r');
    try {
      const { size } = fstatSync(handle);
      if (size > MAX_BYTES) throw new ConfigurationError(`${file}: must have at most ${MAX_BYTES / 1024} KiB, got ${Math.ceil(size / 1024)}. Is it the right file?`);
      return readFileSync(handle, 'utf8');
    } finally {
      closeSync(handle);
    }
  } catch (error) {
    if (error instanceof ConfigurationError) throw error;
    throw new ConfigurationError(`${file}: cannot be read (${(error as NodeJS.ErrnoException).code ?? String(error)}). Name an existing file with --config.`);
  }
}

function valueOf(file: string, text: string): unknown {
  if (Buffer.byteLength(text) > MAX_BYTES) throw new ConfigurationError(`${file}: must have at most ${MAX_BYTES / 1024} KiB. Is it the right file?`);
  try {
    // Aliases could make a small text a value that takes for ever to walk, and nobody needs them here.
    return load(text, { maxAliases: 0, maxDepth: 50 });
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    const place = error.mark === undefined ? '' : `:${error.mark.line + 1}:${error.mark.column + 1}`;
    throw new ConfigurationError(`${file}${place}: is no YAML: ${error.reason}. Correct it there.`);
  }
}

/** A ConfigMap holds a mebibyte in all; a fleet of a thousand devices is described in a page. */
const MAX_BYTES = 256 * 1024;
