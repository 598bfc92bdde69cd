import { checkDriverName, checkSize, checkText } from './checks';
import { Place } from './place';
import { report } from './report';
import type { Rule } from './rule';
import { checkTaint } from './taints';
import { dnsLabelProblem, dnsSubdomainProblem, driverNameProblem, poolNameProblem } from '../names';
import { RESOURCE_GROUP } from '../target';

/** DeviceTaintRules: which devices they reach, and the taint. */
export const TAINT_RULES_RULE: Rule = {
  codes: ['DRA120', 'DRA121', 'DRA127', 'DRA149'],
  run(context) {
    for (const object of context.manifests.ofKind(RESOURCE_GROUP, 'DeviceTaintRule')) {
      const spec = Place.root(object).at('spec');
      const selector = spec.at('deviceSelector');
      checkTaint(context, spec.at('taint'));
      checkDriverName(context, selector.at('driver'), driverNameProblem);
      checkText(context, 'DRA121', selector.at('pool'), poolNameProblem);
      checkText(context, 'DRA121', selector.at('device'), dnsLabelProblem);
      const isOldest = context.target.minor === '1.34';
      if (isOldest) {
        checkText(context, 'DRA121', selector.at('deviceClassName'), dnsSubdomainProblem);
        checkSize(context, selector.at('selectors'), 'selectors');
      }
      if (spec.fields === undefined) continue;
      if (!selector.isSet) {
        report(context, 'DRA149', spec, {
          message: isOldest
            ? 'A rule without deviceSelector taints every device of every driver in the cluster in Kubernetes 1.34, and none later.'
            : 'A rule without deviceSelector taints no device.',
          help: 'Name the driver, and with it pool and device where only some are meant.',
        });
      } else if (selector.fields !== undefined && selector.entries().every(([, part]) => !part.isSet)) {
        report(context, 'DRA149', selector, {
          message: 'An empty deviceSelector taints every device of every driver in the cluster.', help: 'Name at least the driver.',
        });
      } else if (selector.at('device').isSet && !selector.at('pool').isSet) {
        report(context, 'DRA149', selector, {
          message: 'Device names repeat over pools: without pool this rule taints devices of that name on every node.', help: 'Name the pool too; for devices of a node it usually has the node\'s name.',
        });
      }
    }
  },
};
