import type { PlannedMigration } from '../migration/plan';
import { ownerLabel, poolLabel } from '../node-contract';

/**
 * How new nodes of a pool are born with its label, for the usual provisioners, as Markdown.
 *
 * The owner stays out of the templates until the end: without it a new node is the plugin's, which is safe in every phase, and a template
 * that says `dra` would overrule a rollback.
 */
export function nodeTemplatesText({ name, spec }: PlannedMigration): string {
  const pool = `${poolLabel(spec.family)}: ${name}`;
  const [poolPair, ownerPair] = [`${poolLabel(spec.family)}=${name}`, `${ownerLabel(spec.family)}=dra`];
  return [
    `New nodes need the label \`${poolPair}\` from birth. Without an owner they are the device plugin's; the owner is changed by hand-over, and only in the phase `
    + `PluginRemoved, or for strategy Replace, a template may say \`${ownerPair}\` as well. Take that out first when the pool goes back.`,
    '',
    '- **Karpenter** (NodePool). A changed template makes its nodes drifted: Karpenter replaces them, as its disruption budgets allow. Karpenter 1.13 makes no nodes for '
    + 'pods with claims, so that a pool that has moved does not grow by itself.',
    ...block('yaml', ['spec:', '  template:', '    metadata:', '      labels:', `        ${pool}`]),
    '- **Cluster API** with kubeadm (KubeadmConfigTemplate). Labels of a MachineDeployment reach the node only under the prefixes of Cluster API, so kubelet sets it.',
    ...block('yaml', [
      'spec:', '  template:', '    spec:', '      joinConfiguration:', '        nodeRegistration:', '          kubeletExtraArgs:', '            - name: node-labels',
      `              value: ${poolPair}`,
    ]),
    '- **EKS** (eksctl, managed node groups).',
    ...block('yaml', ['managedNodeGroups:', `  - name: ${name}`, '    labels:', `      ${pool}`]),
    '- **GKE** and **AKS** (node pools; both set the labels on the nodes that are there, too).',
    ...block('sh', [
      `gcloud container node-pools update ${name} --cluster CLUSTER --node-labels=${poolPair}`,
      `az aks nodepool update --name ${name} --cluster-name CLUSTER --resource-group GROUP --labels ${poolPair}`,
    ]),
    'The GKE and AKS commands replace all labels that the node pool was given before: name those as well.',
    '',
  ].join('\n');
}

function block(language: string, lines: readonly string[]): readonly string[] {
  return ['', `  \`\`\`${language}`, ...lines.map(line => `  ${line}`), '  ```', ''];
}
