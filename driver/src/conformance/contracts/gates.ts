import { gateAt, GATE_NAMES, gateComponents, gateSince } from 'cdk8s-dra/model';

import { unknownGates } from '../cluster-facts.js';
import type { Contract } from '../contract.js';

export const GATE_CONTRACTS: readonly Contract[] = [
  {
    id: 'gates-known',
    area: 'API',
    title: 'the API server has the feature gates that this project knows for its version, and no other of Dynamic Resource Allocation',
    why: 'Which fields are kept, and so what synth and check allow, follows from the gates.',
    mode: 'live',
    effect: 'reads',
    needs: [],
    run: async (trial) => {
      const { gates, minor, programMinor } = trial.facts;
      if (gates === undefined) return trial.notTried('the metrics of the API server may not be read');
      for (const gate of GATE_NAMES) {
        const state = gateAt(gate, minor);
        const reported = gates.get(gate);
        if (state === undefined) {
          // Under emulation, a gate of a later minor is reported and off.
          trial.expect(reported !== true, `${gate} is on, but known only from ${gateSince(gate)} on`);
        } else if (reported === undefined) {
          trial.expect(!gateComponents(gate, minor).includes('kube-apiserver') || minor !== programMinor, `${gate} is not reported`);
        } else {
          trial.expect(!state.locked || reported === state.default, `${gate} is ${String(reported)}, but is known as locked`);
          if (reported !== state.default) trial.note(`${gate} is ${reported ? 'on' : 'off'}, unlike the default of ${minor}`);
        }
      }
      const unknown = unknownGates(gates);
      trial.expect(unknown.length === 0, `not known: ${unknown.join(', ')}`);
    },
  },
];
