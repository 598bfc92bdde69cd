import { NOWHERE, SELECTOR, resultWith } from './sample-result.js';
import { jsonReport } from '../../../src/cli/check/json-report.js';

test('the fields and their order are contract', () => {
  expect(jsonReport(resultWith(SELECTOR, NOWHERE))).toBe(`{
  "kubernetes": "1.34",
  "featureGates": {
    "kubelet:A": false
  },
  "files": 2,
  "objects": 3,
  "summary": {
    "error": 1,
    "warning": 0,
    "info": 1
  },
  "findings": [
    {
      "code": "DRA101",
      "name": "invalid-syntax",
      "severity": "error",
      "file": "dist/20 classes.yaml",
      "line": 12,
      "column": 5,
      "document": 1,
      "object": {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaim",
        "namespace": "vision",
        "name": "trainer"
      },
      "path": "spec.devices.requests[0].exactly.selectors[0].cel.expression",
      "message": "There is no 'foo', 100% sure.",
      "help": "Write bar: baz, for one.",
      "span": {
        "start": 33,
        "end": 36
      }
    },
    {
      "code": "DRA108",
      "name": "check-failed",
      "severity": "info",
      "path": "",
      "message": "Stopped.",
      "help": "Report it."
    }
  ]
}
`);
});
