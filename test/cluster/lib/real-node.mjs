import { nodeProblem } from '../../../tools/cluster/requirements.mjs';
import { NotTried } from './suite.mjs';

/** The real nodes of a cluster; a contract that needs one and finds none is not tried, with the reason. */
export function realNodes({ state }) {
  if (state.nodes.length === 0) throw new NotTried(nodeProblem() ?? 'this cluster has no real nodes');
  return state.nodes;
}
