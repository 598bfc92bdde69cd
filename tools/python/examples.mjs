// Runs the examples that have a main.py against freshly generated Python bindings and compares their files with those of main.ts.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cleanEnvironment, examplePrograms, readFolder, render, ROOT } from '../examples/run.mjs';

/** Oldest versions that the bindings allow, so that the floor is what is proved. */
const REQUIREMENTS = ['cdk8s==2.70.0', 'constructs==10.5.0', 'jsii==1.140.0'];

const BUILD = join(ROOT, 'build', 'python');
const VENV = join(BUILD, 'venv');
const BINDINGS = join(BUILD, 'bindings');
const run = (command, args, env = {}) => execFileSync(command, args, { cwd: ROOT, env: { ...cleanEnvironment(), ...env }, stdio: ['ignore', 'ignore', 'inherit'] });

if (!hasPython()) {
  console.log('python: skipped, there is no python3 with venv here (on Debian: apt-get install python3-venv)');
  process.exit(process.env.CI ? 1 : 0);
}
rmSync(BINDINGS, { recursive: true, force: true });
run(process.execPath, [join(ROOT, 'node_modules', '.bin', 'jsii-pacmak'), '--code-only', '--no-npmignore', '--target', 'python', '--outdir', BINDINGS, ROOT]);
if (!existsSync(join(VENV, 'bin', 'python'))) run('python3', ['-m', 'venv', VENV]);
run(join(VENV, 'bin', 'pip'), ['install', '--quiet', '--disable-pip-version-check', ...REQUIREMENTS]);

const examples = examplePrograms().filter(example => existsSync(join(ROOT, 'examples', example, 'main.py')));
if (!examples.includes('quickstart')) throw new Error(`the quickstart must be among the examples in Python, found ${examples.join(', ')}`);
for (const example of examples) {
  const fromPython = renderInPython(example);
  const fromTypeScript = render(example);
  const differing = [...new Set([...fromPython.keys(), ...fromTypeScript.keys()])].filter(name => fromPython.get(name) !== fromTypeScript.get(name));
  if (differing.length > 0) {
    console.error(`python: main.py and main.ts of examples/${example} must write the same files, these differ: ${differing.join(', ')}`);
    process.exit(1);
  }
  console.log(`python: examples/${example} wrote the same ${fromPython.size} files as in TypeScript`);
}

function renderInPython(example) {
  const folder = mkdtempSync(join(tmpdir(), 'cdk8s-dra-python-'));
  // Beside it the plan of pools is written.
  const outdir = join(folder, 'dist');
  try {
    run(join(VENV, 'bin', 'python'), [join(ROOT, 'examples', example, 'main.py')], { CDK8S_OUTDIR: outdir, PYTHONPATH: join(BINDINGS, 'python', 'src') });
    return readFolder(outdir);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function hasPython() {
  try {
    execFileSync('python3', ['-c', 'import venv, ensurepip'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
