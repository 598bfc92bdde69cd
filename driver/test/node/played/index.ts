/** For programs outside of the tests that play a node: the bench, and the trial of faults. */
export { FakeApiServer } from '../../kube/fake-api-server.js';
export { PLAYED_DRIVER, PLAYED_NODE, PlayedNode } from './played-node.js';
