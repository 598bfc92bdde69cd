import { checkText, checkUnique } from './checks';
import { containersOf, podPlace } from './pod-claims';
import { report } from './report';
import type { Rule } from './rule';
import { dnsLabelProblem } from '../names';

/** Names of containers, by which status, logs and the mapping of extended resources tell them apart (`validateContainerCommon`). */
export const CONTAINERS_RULE: Rule = {
  codes: ['DRA109', 'DRA114', 'DRA121'],
  run(context) {
    for (const site of context.manifests.podSites()) {
      // Patterns of policies and templates of workflows name containers in other ways.
      if (!site.isBuiltIn) continue;
      const list = podPlace(site).at('containers');
      if (Array.isArray(list.value) && list.items().length === 0) {
        report(context, 'DRA114', list, { message: 'A pod must have a container, got none: the API server refuses it.', help: 'Write the container that does the work.' });
      }
      const containers = containersOf(site).map(({ place }) => place);
      for (const place of containers) checkText(context, 'DRA121', place.at('name'), dnsLabelProblem);
      checkUnique(context, containers, (place) => place.at('name').text, 'containers of one pod');
    }
  },
};
