// What profiles say of a chart, read from the chart.

/** Version of the chart's module, and of each DaemonSet that the chart or its operator makes what a profile repeats. */
export function chartFacts({ module, version }, objects, operands) {
  const policy = objects.find(({ kind }) => kind === 'ClusterPolicy');
  return {
    module,
    version,
    daemonSets: [...objects, ...operands].filter(({ kind, spec }) => kind === 'DaemonSet' && mountsPlugins(spec)).map(({ metadata, spec }) => {
      const { nodeSelector = {}, affinity, tolerations = [] } = spec.template.spec;
      return {
        name: metadata.name,
        podLabels: spec.template.metadata.labels,
        nodeSelector,
        nodeAffinity: affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [],
        tolerations,
      };
    }),
    ...(policy === undefined ? {} : { clusterPolicy: { 'daemonsets.tolerations': policy.spec.daemonsets.tolerations } }),
  };
}

/** Only a device plugin has kubelet's folder for device plugins. */
function mountsPlugins({ template }) {
  return (template.spec.volumes ?? []).some(({ hostPath }) => hostPath?.path === '/var/lib/kubelet/device-plugins');
}
