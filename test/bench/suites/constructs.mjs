import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beside, runProgram, runScript } from '../child.mjs';
import { Figure } from '../figure.mjs';

export const description = 'synth of 20,000 objects, check of them, loading the library';

const UNITS = 10;
const KUBERNETES = '1.36';
const script = name => beside(import.meta.url, `constructs/${name}.mjs`);
const CLI = beside(import.meta.url, '../../../driver/bin/kubectl-dra.js');

/** Ways that are compared take turns, so that a busy moment of the machine meets both. */
export async function measure({ runs, progress }) {
  const folder = mkdtempSync(join(tmpdir(), 'cdk8s-dra-bench-'));
  try {
    return joined(await synthesis(runs, progress, folder), await checking(runs, progress, folder), await loading(runs, progress));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function joined(...parts) {
  return { figures: parts.flatMap(({ figures }) => figures), ratios: parts.flatMap(({ ratios }) => ratios) };
}

async function synthesis(runs, progress, folder) {
  const construction = new Figure('construct 20,000 objects, each checked by itself');
  const synth = new Figure('synth 20,000 objects in 700 charts');
  const serializer = new Figure('toJson, Yaml and writeFile of the same');
  const smallConstruction = new Figure('construct 2,000 objects');
  const small = new Figure('synth 2,000 objects in 70 charts');
  const write = async (units, way) => {
    const outdir = join(folder, 'dist');
    rmSync(outdir, { recursive: true, force: true });
    return runScript(script('synth'), [units, way, outdir, KUBERNETES]);
  };
  for (let run = 1; run <= runs; run++) {
    progress(`synth, run ${run} of ${runs}`);
    const alone = await write(UNITS, 'serializer');
    serializer.add(alone.writing);
    const few = await write(1, 'synth');
    smallConstruction.add(few.construction);
    small.add(few.writing);
    // Last, because the checks read what this leaves.
    const full = await write(UNITS, 'synth');
    construction.add(full.construction);
    synth.add(full.writing);
  }
  return {
    figures: [construction, synth, serializer, smallConstruction, small],
    ratios: [
      synth.over(serializer, 'synth / its YAML alone', '2'),
      construction.over(serializer, 'construction / its YAML alone'),
      synth.over(small, 'synth of 20,000 / of 2,000', '12'),
      construction.over(smallConstruction, 'construction of 20,000 / of 2,000'),
    ],
  };
}

async function checking(runs, progress, folder) {
  const dist = join(folder, 'dist');
  const check = new Figure('kubectl-dra check of these 20,000', '1,024 MiB');
  const parse = new Figure('yaml.parseAllDocuments of the same, with positions');
  for (let run = 1; run <= runs; run++) {
    progress(`check, run ${run} of ${runs}`);
    check.add(await runProgram(CLI, ['check', dist, '--kubernetes', KUBERNETES]));
    parse.add(await runProgram(script('parse'), [dist]));
  }
  return { figures: [check, parse], ratios: [check.over(parse, 'check / parse', '4')] };
}

async function loading(runs, progress) {
  const framework = new Figure("require('cdk8s') alone, added");
  const library = new Figure("require('cdk8s-dra') after cdk8s, added", '150 ms');
  const model = new Figure("require('cdk8s-dra/model') alone, added");
  for (let run = 1; run <= runs; run++) {
    progress(`load, run ${run} of ${runs}`);
    framework.add((await runScript(script('load'), ['cdk8s'])).loading);
    library.add((await runScript(script('load'), ['cdk8s-dra', 'cdk8s', 'constructs'])).loading);
    model.add((await runScript(script('load'), ['cdk8s-dra/model'])).loading);
  }
  return { figures: [framework, library, model], ratios: [library.over(framework, "require('cdk8s-dra') / require('cdk8s')")] };
}
