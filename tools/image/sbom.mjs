import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * What is in the image, as SPDX 2.3: the agent, the npm packages in its bundle, Node.js and Debian's libraries.
 *
 * @param {{ root: string, version: string, created: string, inputs: string[], pins: object, commit: string }} image
 * `inputs`: files that the bundle was made from, relative to `root`
 */
export function sbom({ root, version, created, inputs, pins, commit }) {
  const agent = entry('cdk8s-dra-driver', version, 'Apache-2.0', `pkg:npm/cdk8s-dra-driver@${version}`);
  const { node, debian } = pins;
  const parts = [
    ...bundled(root, inputs),
    entry('node', node.version, 'MIT', `pkg:generic/node@${node.version}`, integrityChecksum(node.integrity)),
    ...Object.entries(debian.packages).map(([name, { version: pin, sha256 }]) =>
      entry(name, pin, 'NOASSERTION', `pkg:deb/debian/${encodeURIComponent(name)}@${encodeURIComponent(pin)}?arch=amd64`, { algorithm: 'SHA256', checksumValue: sha256 })),
  ].sort((a, b) => (a.name < b.name ? -1 : 1));
  return {
    spdxVersion: 'SPDX-2.3',
    dataLicense: 'CC0-1.0',
    SPDXID: 'SPDXRef-DOCUMENT',
    name: `cdk8s-dra-node-agent-${version}`,
    documentNamespace: `https://cdk8s-dra.dev/sbom/node-agent/${version}/${commit}`,
    creationInfo: { created, creators: ['Tool: cdk8s-dra tools/image'] },
    packages: [agent, ...parts],
    relationships: [
      { spdxElementId: 'SPDXRef-DOCUMENT', relationshipType: 'DESCRIBES', relatedSpdxElement: agent.SPDXID },
      ...parts.map(({ SPDXID }) => ({ spdxElementId: agent.SPDXID, relationshipType: 'CONTAINS', relatedSpdxElement: SPDXID })),
    ],
  };
}

/** The npm packages whose files are in the bundle. */
function bundled(root, inputs) {
  const folders = new Set(inputs.map(file => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1]).filter(folder => folder !== undefined));
  return [...folders].map(folder => {
    const { name, version, license } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
    return entry(name, version, typeof license === 'string' ? license : 'NOASSERTION', `pkg:npm/${name.replace('@', '%40')}@${version}`);
  });
}

function entry(name, versionInfo, license, locator, checksum) {
  return {
    SPDXID: `SPDXRef-${`${name}-${versionInfo}`.replace(/[^A-Za-z0-9.-]+/g, '-')}`,
    name,
    versionInfo,
    downloadLocation: 'NOASSERTION',
    filesAnalyzed: false,
    licenseConcluded: 'NOASSERTION',
    licenseDeclared: license,
    ...(checksum === undefined ? {} : { checksums: [checksum] }),
    externalRefs: [{ referenceCategory: 'PACKAGE-MANAGER', referenceType: 'purl', referenceLocator: locator }],
  };
}

/** npm's integrity is base64, SPDX wants hexadecimal. */
function integrityChecksum(integrity) {
  return { algorithm: 'SHA512', checksumValue: Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex') };
}
