import { agentIdentity } from '../../../src/node/config/agent-identity.js';
import { ConfigurationError } from '../../../src/node/config/read-configuration.js';

const UID = '3f2b6c1e-8a57-4d7e-9a52-0d8f1c2b3a4d';

test('the node comes from the flag, else from the DaemonSet\'s variable', () => {
  expect(agentIdentity({}, { NODE_NAME: 'node-1' })).toEqual({ nodeName: 'node-1' });
  expect(agentIdentity({ node: 'node-2' }, { NODE_NAME: 'node-1' })).toEqual({ nodeName: 'node-2' });
});

test('the pod is known by its UID, name and namespace, where they are set', () => {
  expect(agentIdentity({}, { NODE_NAME: 'node-1', POD_UID: UID, POD_NAME: 'agent-x', NAMESPACE: 'dra' })).toEqual({
    nodeName: 'node-1', podUid: UID, podName: 'agent-x', namespace: 'dra',
  });
  expect(agentIdentity({}, { NODE_NAME: 'node-1', POD_UID: '', POD_NAME: '', NAMESPACE: '' })).toEqual({ nodeName: 'node-1' });
});

test.each([
  [{}, 'The name of the node is not known. Set NODE_NAME from spec.nodeName of the pod, or give --node.'],
  [{ NODE_NAME: '' }, 'The name of the node is not known.'],
  [{ NODE_NAME: '../x' }, 'The name of the node must be a DNS subdomain'],
  [{ NODE_NAME: 'node-1', POD_UID: '../../etc' }, 'POD_UID must be a lower-case UUID, got \'../../etc\'. Set it from metadata.uid of the pod.'],
])('%j is refused', (environment, message) => {
  expect(() => agentIdentity({}, environment)).toThrow(ConfigurationError);
  expect(() => agentIdentity({}, environment)).toThrow(message);
});
