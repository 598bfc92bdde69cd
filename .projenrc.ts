import { cdk8s, javascript } from 'projen';

const project = new cdk8s.ConstructLibraryCdk8s({
  name: 'cdk8s-dra',
  description: 'Typed cdk8s constructs for Kubernetes Dynamic Resource Allocation, and for the way there from device plugins',
  author: 'The cdk8s-dra authors',
  authorAddress: 'cdk8s-dra@users.noreply.github.com',
  authorOrganization: true,
  repositoryUrl: 'https://github.com/cdk8s-dra/cdk8s-dra.git',
  keywords: ['kubernetes', 'dra', 'dynamic-resource-allocation', 'gpu', 'fpga', 'device-plugin'],
  license: 'Apache-2.0',
  defaultReleaseBranch: 'main',
  packageManager: javascript.NodePackageManager.NPM,
  projenrcTs: true,
  jsiiVersion: '6.0.16',
  typescriptVersion: '6.0.3',
  projenVersion: '0.103.25',
  // Lowest versions that install beside projen: a higher floor makes older platform repos fail with ERESOLVE.
  cdk8sVersion: '2.70.0',
  constructsVersion: '10.5.0',
  minNodeVersion: '20.16.0',
  entrypoint: 'lib/src/index.js',
  // The demo and the examples write manifests to `dist`, so release artifacts go elsewhere.
  artifactsDirectory: 'artifacts',
  github: false,
  release: false,
  sampleCode: false,
  depsUpgrade: false,
  publishToPypi: { distName: 'cdk8s-dra', module: 'cdk8s_dra' },
  publishToMaven: { javaPackage: 'dev.cdk8s_dra', mavenGroupId: 'dev.cdk8s-dra', mavenArtifactId: 'cdk8s-dra' },
  publishToGo: { moduleName: 'github.com/cdk8s-dra/cdk8s-dra-go' },
  // RE2 semantics for CEL's regular expressions; bundled, so that four languages need not find it.
  bundledDeps: ['re2js@2.10.0'],
  devDeps: [
    // Three generations of workloads that PodDevices must serve; peers of nobody, so the bindings stay small.
    'cdk8s-plus-28@2.5.6', 'cdk8s-plus-33@2.5.57', 'cdk8s-plus-34@2.0.54',
    'cdk8s-cli@2.207.60', 'esbuild@0.28.2', 'fast-check@4.11.0', 'yaml@2.9.1',
    'jsii-docgen@10.12.6', 'jsii-pacmak@1.140.0',
  ],
  tsconfig: { include: ['imports/**/*.ts'], compilerOptions: { rootDir: '.' } },
  jestOptions: {
    // projen's default rewrites snapshots even in CI, so a changed one would pass.
    updateSnapshot: javascript.UpdateSnapshot.NEVER,
    junitReporting: false,
    passWithNoTests: false,
    jestConfig: {
      collectCoverage: false,
      testPathIgnorePatterns: ['/node_modules/', '<rootDir>/driver/', '<rootDir>/examples/'],
      modulePathIgnorePatterns: ['<rootDir>/artifacts/', '<rootDir>/build/'],
    },
  },
  eslintOptions: {
    dirs: ['src', 'driver/src'],
    devdirs: ['test', 'examples', 'driver/test'],
    commandOptions: { fix: false },
  },
  gitignore: ['dist/', 'dist.plan/', '/build/', '/driver/lib/', '/artifacts/', '/.jsii.tabl.json', '/cdk8s.log'],
});

project.npmignore!.exclude('/imports/', '/driver/', '/examples/', '/tools/', '/docs/', '/build/', '/dist/', '/dist.plan/', '/.ci/', 'artifacts');
project.package.addField('types', 'lib/src/index.d.ts');
project.package.addField('workspaces', ['driver']);
project.package.addField('exports', {
  '.': { types: './lib/src/index.d.ts', default: './lib/src/index.js' },
  './model': { types: './lib/src/model/index.d.ts', default: './lib/src/model/index.js' },
  './validate': { types: './lib/src/validate/index.d.ts', default: './lib/src/validate/index.js' },
  './package.json': './package.json',
  './.jsii': './.jsii',
  './.warnings.jsii.js': './.warnings.jsii.js',
});

// Each jsii process says that Node 20 is past its end of life; the value is the major version to be silent about.
project.tasks.addEnvironment('JSII_SILENCE_WARNING_END_OF_LIFE_NODE_VERSION', '20');

// projen silences reserved words; a name that Go or C# cannot use is a mistake here.
project.compileTask.reset('jsii --fail-on-warnings');
project.compileTask.exec('npm run build --silent -w driver');

const documentation = project.addTask('docs:check', { description: 'Compile the code of README.md and of the doc comments' });
documentation.exec('jsii-rosetta extract --compile --fail --strict --output build/rosetta.json');

const python = project.addTask('python', { description: 'Run the examples from Python and compare them with TypeScript' });
python.exec('node tools/python/examples.mjs');

project.tasks.tryFind('docgen')!.reset('node tools/docs/api.mjs');

project.testTask.reset();
project.testTask.spawn(project.compileTask);
project.testTask.spawn(project.tasks.tryFind('docgen')!);
project.testTask.exec('jest --ci');
project.testTask.exec('npm test --silent -w driver');
project.testTask.spawn(project.tasks.tryFind('eslint')!);
project.testTask.spawn(documentation);
project.testTask.spawn(python);
// A taste of the suites, where a Kubernetes is built already; a build would take many minutes.
project.testTask.exec('node test/cluster/run.mjs --if-built --suite gates,policies');

project.addTask('reliability', { description: 'Meet the node agent with each fault at each step; writes docs/reliability.md', exec: 'node test/reliability/run.mjs', receiveArgs: true });
const generate = project.addTask('generate', { description: 'Write the generated sources anew: schemas, profile classes, kubelet\'s protocols, docs, golden folders' });
generate.exec('node tools/imports/generate.mjs');
generate.exec('node tools/profiles/generate.mjs');
generate.exec('node tools/protos/generate.mjs');
generate.exec('node tools/docs/features.mjs');
generate.exec('node tools/docs/checks.mjs');
generate.exec('node tools/docs/compatibility.mjs');
generate.exec('node tools/docs/node-failures.mjs');
generate.spawn(project.compileTask);
generate.spawn(project.tasks.tryFind('docgen')!);
generate.exec('node tools/examples/golden.mjs');

project.addTask('demo', { description: 'Synthesize the example platform into dist and check it', exec: 'node tools/demo.mjs' });
project.addTask('bench', { description: 'Measure; `npm run bench -- constructs`', exec: 'node test/bench/run.mjs', receiveArgs: true });
project.addTask('image', {
  description: 'Build the image of the node agent into dist/image',
  exec: 'node tools/image/main.mjs',
  receiveArgs: true,
});
project.addTask('test:oracle', {
  description: 'Compare selectors and allocations with upstream; `npm run test:oracle -- --seed 7 --cases 5000`',
  exec: 'node test/oracle/compare.mjs',
  receiveArgs: true,
});
project.addTask('cluster', {
  description: 'A real Kubernetes on this machine; `npm run cluster -- up --kubernetes 1.36`',
  exec: 'node tools/cluster/main.mjs',
  receiveArgs: true,
});
project.addTask('test:cluster', {
  description: 'Test suites against a real Kubernetes; `npm run test:cluster -- --kubernetes 1.36`',
  exec: 'node test/cluster/run.mjs',
  receiveArgs: true,
});
project.addTask('charts', { description: 'Render charts of vendors and prove the profiles with them', exec: 'node tools/charts/main.mjs' });
project.addTask('check:wild', {
  description: 'Check the example manifests of other projects; `npm run check:wild -- DIR…`',
  exec: 'node tools/wild/check.mjs',
  receiveArgs: true,
});

const eslint = project.eslint!;
eslint.addRules({
  'import/no-restricted-paths': ['error', {
    zones: [
      { target: './src/model', from: './src', except: ['./model'], message: 'model is pure: it imports nothing but imports/ and itself.' },
      { target: './src', from: './driver', message: 'The library never imports the driver.' },
      { target: './src/dra', from: ['./src/pools', './src/tenants'], message: 'The concepts of resource.k8s.io know nothing of migrations and tenants.' },
      { target: './driver/src/node', from: ['./driver/src/controller', './driver/src/cli', './driver/src/sandbox'], message: 'The node agent stays small.' },
    ],
  }],
});
eslint.addOverride({
  files: ['src/model/**/*.ts'],
  rules: {
    'no-restricted-imports': ['error', {
      patterns: [{
        group: ['cdk8s*', 'constructs', 'node:*', '!node:crypto', 'fs', 'path', 'os', 'child_process'],
        message: 'model is pure: no framework, no files, no clock.',
      }],
    }],
  },
});
eslint.addOverride({
  files: ['driver/**/*.ts'],
  // Bundled at build time, so that the published driver has no run-time dependencies.
  rules: { 'import/no-extraneous-dependencies': ['error', { devDependencies: true, packageDir: ['./driver', '.'] }] },
});
// Generated sources keep the shape of their input.
for (const generated of ['imports/', 'src/drivers/profiles/', 'src/drivers/driver-profile.ts']) eslint.addIgnorePattern(generated);
// Examples import the library by its own name, as users do.
eslint.addOverride({ files: ['examples/**/*.ts'], rules: { 'import/no-extraneous-dependencies': 'off' } });

project.synth();
