import * as fc from 'fast-check';
import { DEVICE_ROUTING_CRD, TEMPLATE_TEXT_LIMITS, templateTextMistakes, templateTexts, templatesOfTexts } from '../../../src/model/api';

const { pattern } = (DEVICE_ROUTING_CRD as any).spec.versions[0].schema.openAPIV3Schema.properties.spec.properties.templates.additionalProperties;
const PATTERN = new RegExp(pattern);
const name = fc.stringMatching(/^[a-z0-9]([-a-z0-9]{0,6}[a-z0-9])?(\.[a-z0-9]{1,4})?$/);
const namespace = fc.stringMatching(/^[a-z]{1,6}$/);
const templates = fc.array(fc.tuple(namespace, name, fc.uniqueArray(name, { minLength: 1, maxLength: 4 })), { maxLength: 20 })
  .map(list => Object.fromEntries(list.map(([of, template, classes]) => [`${of}/${template}`, [...classes].sort()])));

test('texts say what they were made from, in one order, and the schema takes them', () => {
  fc.assert(fc.property(templates, given => {
    const texts = templateTexts(given);
    expect(templatesOfTexts(texts)).toEqual(given);
    expect(JSON.stringify(templateTexts(Object.fromEntries(Object.entries(given).reverse())))).toBe(JSON.stringify(texts));
    for (const text of Object.values(texts)) expect(text).toMatch(PATTERN);
  }));
});

test('a line a class, sorted; a namespace without templates of these classes has none', () => {
  expect(templateTexts({ 'vision/train': ['small', 'large'], 'vision/eval': ['large', 'large'], 'audio/x': [] })).toEqual({ vision: 'large: eval train\nsmall: train\n' });
});

test('a name that no object can have does not break the text', () => {
  expect(templateTexts({ 'vision/a b': ['large'], 'vision/c\nlarge: d': ['large'], 'vision/e': ['Large: x', 'large'] })).toEqual({ vision: 'large: e\n' });
});

test.each(['gpu-large trainer', 'gpu-large:trainer', 'gpu-large: ', 'gpu-large:  trainer', 'gpu-large: trainer\r\n', 'gpu-large: trainer\n\nsmall: x\n', '', '\n', 'GPU: trainer'])('the schema refuses %j', text => {
  expect(text).not.toMatch(PATTERN);
});

test('the schema takes a text without its last line end', () => {
  expect('gpu-large: trainer evaluator\nsmall: x').toMatch(PATTERN);
});

test('the schema answers for the longest text', () => {
  expect(`a:${' b'.repeat(TEMPLATE_TEXT_LIMITS.text / 2 - 1)}`).toMatch(PATTERN);
  expect(`a:${' b'.repeat(TEMPLATE_TEXT_LIMITS.text / 2 - 2)}!`).not.toMatch(PATTERN);
});

test('what is too long is said, with the namespace and both numbers', () => {
  const full = 'x'.repeat(TEMPLATE_TEXT_LIMITS.text);
  const many = (count: number, text: string) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`n${index}`, text]));
  expect(templateTextMistakes('DeviceRouting', { n: full, ...many(31, full) })).toEqual([]);
  expect(templateTextMistakes('DeviceRouting', { n: `${full}x` })).toEqual(['The claim templates of namespace n fill 32769 characters, DeviceRouting takes 32768 a namespace.']);
  expect(templateTextMistakes('DeviceRouting', many(2049, ''))).toEqual(['2049 namespaces have claim templates of these classes, DeviceRouting takes 2048.']);
  expect(templateTextMistakes('DeviceRouting', many(33, full))).toEqual(['The claim templates of all namespaces fill 1081344 characters, DeviceRouting takes 1048576.']);
});
