// Runs `kubectl-dra check` over folders of other projects and prints what it found, for the oldest and a newer Kubernetes.
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { basename, resolve } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

import { partsOf } from './parts.mjs';

const CLI = fileURLToPath(new URL('../../driver/bin/kubectl-dra.js', import.meta.url));
const VERSIONS = ['1.34', '1.36'];

try {
  const folders = process.argv.slice(2);
  if (folders.length === 0) throw new Error('name the folders to check: checkouts named <owner>+<name>, or folders of rendered charts');
  const rows = folders.map(folder => ({ label: basename(resolve(folder)), parts: partsOf(folder) }));
  for (const version of VERSIONS) {
    const checked = await inParallel(rows.flatMap(({ parts }) => parts), part => check(part, version));
    const results = rows.map(({ label, parts }) => sum(label, checked.splice(0, parts.length)));
    printTable(version, [...results, sum('total', results)]);
    printFindings(version, results.flatMap(({ findings }) => findings));
  }
} catch (error) {
  // 1 is what a check with findings ends with, and findings are what this is for.
  console.error(error.message);
  process.exitCode = 2;
}

/** The results in the order of the items; as many at once as the machine has processors. */
async function inParallel(items, work) {
  const results = [];
  let next = 0;
  await Promise.all(Array.from({ length: availableParallelism() }, async () => {
    for (let index = next++; index < items.length; index = next++) results[index] = await work(items[index]);
  }));
  return results;
}

async function check({ path, name, text }, version) {
  const child = spawn(process.execPath, [CLI, 'check', '-o', 'json', '--kubernetes', version, path ?? '-']);
  const ended = new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  child.stdin.end(text ?? '');
  const [status, stdout, stderr] = await Promise.all([ended, readText(child.stdout), readText(child.stderr)]);
  // Others' folders and posts may hold no object at all, which here is a count and no failure.
  if (status === 2 && stderr.startsWith('error: nothing to check')) return { files: path === undefined ? 1 : 0, objects: 0, findings: [] };
  if (status !== 0 && status !== 1) throw new Error(`kubectl-dra check ${path ?? name} ended with ${status}: ${stderr}`);
  const { files, objects, findings } = JSON.parse(stdout);
  return { files, objects, findings: findings.map(finding => name === undefined ? finding : { ...finding, file: name }) };
}

function sum(label, results) {
  return {
    label,
    files: results.reduce((total, { files }) => total + files, 0),
    objects: results.reduce((total, { objects }) => total + objects, 0),
    findings: results.flatMap(({ findings }) => findings),
  };
}

function printTable(version, results) {
  const header = ['FOLDER', 'FILES', 'OBJECTS', 'ERRORS', 'WARNINGS', 'CODES'];
  const cells = results.map(({ label, files, objects, findings }) => {
    const count = wanted => findings.filter(({ severity }) => severity === wanted).length;
    return [label, files, objects, count('error'), count('warning'), codeCounts(findings)].map(String);
  });
  const widths = header.map((title, column) => Math.max(title.length, ...cells.map(row => row[column].length)));
  console.log(`\nKubernetes ${version}`);
  for (const row of [header, ...cells]) console.log(row.map((cell, column) => cell.padEnd(widths[column])).join('  ').trimEnd());
}

/** Errors and warnings, e.g. `DRA101×2 DRA142`. */
function codeCounts(findings) {
  const codes = findings.filter(({ severity }) => severity !== 'info').map(({ code }) => code);
  return [...new Set(codes)].sort().map(code => {
    const count = codes.filter(other => other === code).length;
    return count === 1 ? code : `${code}×${count}`;
  }).join(' ');
}

function printFindings(version, findings) {
  for (const code of [...new Set(findings.map(finding => finding.code))].sort()) {
    const ofCode = findings.filter(finding => finding.code === code);
    console.log(`\n${code} ${ofCode[0].name}, ${ofCode.length} for Kubernetes ${version}`);
    for (const { severity, file, line, column, object, path, message, help } of ofCode) {
      const place = [file, line, column].filter(part => part !== undefined).join(':');
      const subject = [object?.kind, object?.name, path].filter(part => part).join(' ');
      console.log(`  ${severity} ${place} ${subject}\n    ${message}\n    ${help}`);
    }
  }
}
