import type { CelType, ExpressionGenerator } from './selector-expression';

type Production = (grow: ExpressionGenerator) => string;

/** `{type}` in a template stands for an expression of that type; `{x:type|...}` binds a variable in the rest. */
function template(text: string): Production {
  const parts = text.split(/\{(\w+)\}/);
  return (grow) => parts.map((part, index) => (index % 2 === 0 ? part : grow.of(part as CelType))).join('');
}

function templates(...texts: readonly string[]): Production[] {
  return texts.map(template);
}

/** A macro over a list: `list.macro(variable, body)`. */
function macro(list: CelType, entry: CelType, name: string, body: CelType, rest = ''): Production {
  return (grow) => {
    const target = grow.of(list);
    return grow.bound(entry, (variable) => `${target}.${name}(${variable}, ${grow.of(body)})${rest}`);
  };
}

/** A macro with position and value: `list.macro(i, v, body)`. */
function pairMacro(list: CelType, entry: CelType, name: string, body: CelType, rest = ''): Production {
  return (grow) => {
    const target = grow.of(list);
    return grow.bound('int', (index) => grow.bound(entry, (value) => `${target}.${name}(${index}, ${value}, ${grow.of(body)})${rest}`));
  };
}

function bind(type: CelType, result: CelType): Production {
  return (grow) => {
    const value = grow.of(type);
    return grow.bound(type, (variable) => `cel.bind(${variable}, ${value}, ${grow.of(result)})`);
  };
}

const COMPARISONS = ['==', '!=', '<', '<=', '>', '>='];

function comparisons(...types: readonly CelType[]): Production[] {
  return types.map((type) => (grow) => `(${grow.of(type)} ${grow.random.pick(COMPARISONS)} ${grow.of(type)})`);
}

function equalities(...types: readonly CelType[]): Production[] {
  return types.map((type) => (grow) => `(${grow.of(type)} ${grow.random.pick(['==', '!='])} ${grow.of(type)})`);
}

const ORDERED = ['isGreaterThan', 'isLessThan'];

export const PRODUCTIONS: Readonly<Record<CelType, readonly Production[]>> = {
  bool: [
    ...comparisons('int', 'int', 'uint', 'double', 'string', 'bytes', 'duration', 'timestamp', 'any', 'bool'),
    ...equalities('ints', 'strings', 'map', 'quantity', 'semver', 'ip', 'cidr', 'url', 'optionalInt', 'anys'),
    ...templates(
      '({bool} && {bool})', '({bool} || {bool})', '({bool} || {bool})', '!{bool}', '({bool} ? {bool} : {bool})', '({int} < {double})', '({uint} >= {int})', '({any} == {int})', '({any} == {string})',
      '({int} in {ints})', '({string} in {strings})', '({any} in {anys})', '({string} in {map})', '({any} in [{string}, {string}])', '({any} < {int})', '({any} == {any})',
      '{string}.contains({string})', '{string}.startsWith({string})', '{string}.endsWith({string})', '{string}.matches({string})', '{string}.matches("^[a-zA-Z]+[0-9]*$")',
      '{string}.matches("(?i)a1\\\\d+")', '{string}.matches("(")', 'isQuantity({string})', 'isSemver({string})', 'isSemver({string}, true)', 'isIP({string})', 'isCIDR({string})',
      'isURL({string})', 'ip.isCanonical({string})', '{ip}.isUnspecified()', '{ip}.isLoopback()', '{ip}.isLinkLocalMulticast()', '{ip}.isLinkLocalUnicast()', '{ip}.isGlobalUnicast()',
      '{cidr}.containsIP({ip})', '{cidr}.containsIP({string})', '{cidr}.containsCIDR({cidr})', '{cidr}.containsCIDR({string})', '{quantity}.isInteger()',
      '({quantity}.compareTo({quantity}) >= 0)', '({semver}.compareTo({semver}) > 0)', '{ints}.isSorted()', '{strings}.isSorted()', 'sets.contains({ints}, {ints})',
      'sets.intersects({strings}, {strings})', 'sets.equivalent({ints}, {ints})', '{optionalInt}.hasValue()', 'bool({string})', 'format.dns1123Label().validate({string}).hasValue()',
      '!format.named("dns1123Subdomain").value().validate({string}).hasValue()', 'format.named({string}).hasValue()', 'format.{string}().validate({string}).hasValue()', '(type({any}) == string)',
      '(type({int}) == int)', '{anys}.includes({any})', '{any}.includes({string})', '({optionalString}.orValue({string}) == {string})', '(dyn({int}) == {double})', 'has({map}.a)',
      '{map}.exists_one(k, k == {string})', '(device.attributes["gpu.example.com"].map(k, k).size() == {int})', 'device.capacity["gpu.example.com"].filter(k, true).size() > {int}',
      'device.attributes.all(k, true)', 'format.dns1035Label().validate({string}).hasValue()', 'format.uri().validate({string}).hasValue()', 'format.uuid().validate({string}).hasValue()',
      'format.byte().validate({string}).hasValue()', 'format.date().validate({string}).hasValue()', 'format.datetime().validate({string}).hasValue()', 'format.labelValue().validate({string}).hasValue()',
      'format.qualifiedName().validate({string}).hasValue()', 'format.dns1123LabelPrefix().validate({string}).hasValue()',
    ),
    (grow) => `${grow.of('quantity')}.${grow.random.pick(ORDERED)}(${grow.of('quantity')})`,
    (grow) => `${grow.of('semver')}.${grow.random.pick(ORDERED)}(${grow.of('semver')})`,
    ...['all', 'exists', 'exists_one', 'existsOne'].flatMap((name) => [macro('ints', 'int', name, 'bool'), macro('strings', 'string', name, 'bool'), macro('anys', 'any', name, 'bool')]),
    ...['all', 'exists', 'existsOne', 'exists_one'].map((name) => pairMacro('ints', 'int', name, 'bool')),
    bind('int', 'bool'), bind('string', 'bool'), bind('quantity', 'bool'), bind('any', 'bool'),
  ],
  int: [
    ...templates(
      '({int} + {int})', '({int} - {int})', '({int} * {int})', '({int} / {int})', '({int} % {int})', '-{int}', 'size({string})', '{string}.size()', 'size({ints})', '{strings}.size()', 'size({map})',
      'size({bytes})', 'int({string})', 'int({double})', 'int({uint})', 'int({timestamp})', '({bool} ? {int} : {int})', '{ints}[{int}]', '{map}["a"]', '{map}.a', '{string}.indexOf({string})',
      '{string}.indexOf({string}, {int})', '{string}.lastIndexOf({string})', '{string}.lastIndexOf({string}, {int})', '{ints}.sum()', '{ints}.min()', '{ints}.max()', '{ints}.indexOf({int})', '{ints}.lastIndexOf({int})',
      '{quantity}.compareTo({quantity})', 'sign({quantity})', '{quantity}.asInteger()', '{semver}.major()', '{semver}.minor()', '{semver}.patch()', '{semver}.compareTo({semver})',
      '{ip}.family()', '{cidr}.prefixLength()', '{optionalInt}.orValue({int})', '{optionalInt}.value()', '{timestamp}.getFullYear()', '{timestamp}.getMonth()', '{timestamp}.getDayOfYear()',
      '{timestamp}.getDate()', '{timestamp}.getDayOfMonth()', '{timestamp}.getDayOfWeek()', '{timestamp}.getHours("America/New_York")', '{timestamp}.getHours("+02:30")', '{timestamp}.getMinutes()', '{timestamp}.getSeconds()',
      '{timestamp}.getMilliseconds()', '{duration}.getHours()', '{duration}.getMinutes()', '{duration}.getSeconds()', '{duration}.getMilliseconds()', 'int({any})', 'size({any})', '{any}.size()',
    ),
    macro('ints', 'int', 'map', 'int', '.sum()'), macro('ints', 'int', 'filter', 'bool', '.size()'), bind('int', 'int'),
  ],
  uint: templates('({uint} + {uint})', '({uint} - {uint})', '({uint} * {uint})', '({uint} / {uint})', '({uint} % {uint})', 'uint({int})', 'uint({string})', 'uint({double})', '({bool} ? {uint} : {uint})'),
  double: templates('({double} + {double})', '({double} - {double})', '({double} * {double})', '({double} / {double})', '-{double}', 'double({int})', 'double({string})', 'double({uint})', '{quantity}.asApproximateFloat()', '[{double}, {double}].max()', '[{double}, {double}].sum()'),
  string: [
    ...templates(
      '({string} + {string})', 'string({int})', 'string({uint})', 'string({double})', 'string({bool})', 'string({bytes})', 'string({duration})', 'string({timestamp})', 'string({ip})', 'string({cidr})', 'string({any})',
      '{string}.charAt({int})', '{string}.lowerAscii()', '{string}.upperAscii()', '{string}.trim()', '{string}.replace({string}, {string})', '{string}.replace({string}, {string}, {int})',
      '{string}.substring({int})', '{string}.substring({int}, {int})', '{strings}.join()', '{strings}.join({string})', '{strings}[{int}]', '{string}.find({string})', '{string}.find("[0-9]+")', 'strings.quote({string})',
      '"%s-%d".format([{string}, {int}])', '"%v %v".format([{any}, {ints}])', '"%.2f %e".format([{double}, {double}])', '"%x %X %b %o".format([{int}, {string}, {int}, {int}])', '"%d %%".format([{uint}])', '"%s".format([{string}, {int}])',
      '"%s %s".format([{ints}, {map}])', '"%z".format([{int}])', '({bool} ? {string} : {string})', '{url}.getScheme()', '{url}.getHost()', '{url}.getHostname()', '{url}.getPort()', '{url}.getEscapedPath()', '{optionalString}.orValue({string})',
      '{optionalString}.value()', '{strings}.min()', '{strings}.max()', '{url}.getQuery()["x"][0]',
    ),
    bind('string', 'string'),
  ],
  bytes: templates('({bytes} + {bytes})', 'bytes({string})', '({bool} ? {bytes} : {bytes})'),
  any: templates('dyn({int})', 'dyn({string})', 'dyn({double})', 'dyn({ints})', 'dyn({map})', 'dyn({bool})', '({bool} ? dyn({int}) : dyn({string}))', 'dyn({any})', '{anys}[{int}]', 'dyn({quantity})', 'dyn({semver})'),
  anys: templates('[{any}, {any}]', '({anys} + {anys})', '[dyn({int}), dyn({string})]'),
  ints: [
    ...templates(
      '[{int}, {int}]', '[{int}, {int}, {int}]', '({ints} + {ints})', '{ints}.slice({int}, {int})', '{ints}.sort()', '{ints}.distinct()', '{ints}.reverse()', '[{ints}, {ints}].flatten()', '[[{ints}]].flatten(2)', 'lists.range(4)', 'lists.range({int} % 50)',
      '({bool} ? {ints} : {ints})', '{map}.map(k, 1)', '[?{optionalInt}, {int}]', '{ints}.sort().reverse()', '[[[{int}]]].flatten({int})',
    ),
    macro('ints', 'int', 'map', 'int'), macro('ints', 'int', 'filter', 'bool'), macro('strings', 'string', 'map', 'int'), macro('ints', 'int', 'sortBy', 'int'),
    pairMacro('ints', 'int', 'transformList', 'int'), (grow) => grow.bound('int', (x) => `${grow.of('ints')}.map(${x}, ${grow.of('bool')}, ${grow.of('int')})`),
  ],
  strings: [
    ...templates('[{string}]', '[{string}, {string}]', '{string}.split({string})', '{string}.split({string}, {int})', '{string}.findAll({string})', '{string}.findAll("[a-z]", {int})', '{strings}.sort()', '{strings}.distinct()', '({strings} + {strings})', '{strings}.slice(0, {int})', '{strings}.reverse()'),
    macro('strings', 'string', 'map', 'string'), macro('strings', 'string', 'filter', 'bool'), macro('strings', 'string', 'sortBy', 'string'),
  ],
  map: [
    ...templates('{"a": {int}}', '{{string}: {int}}', '{"a": {int}, "b": {int}}', '({bool} ? {map} : {map})', '{?"a": {optionalInt}}', '{"a": {int}, "a": {int}}'),
    (grow) => `${grow.of('map')}.transformMap(k, v, ${grow.of('int')})`, (grow) => `${grow.of('ints')}.transformMapEntry(i, v, {string(i): ${grow.of('int')}})`, (grow) => `${grow.of('map')}.transformMap(k, v, ${grow.of('bool')}, v + 1)`,
  ],
  duration: templates('({duration} + {duration})', '({duration} - {duration})', '({timestamp} - {timestamp})', 'duration({string})'),
  timestamp: templates('({timestamp} + {duration})', '({timestamp} - {duration})', 'timestamp({int})', 'timestamp({string})'),
  quantity: templates('{quantity}.add({quantity})', '{quantity}.sub({quantity})', '{quantity}.add({int})', '{quantity}.sub({int})', 'quantity({string})', '({bool} ? {quantity} : {quantity})'),
  semver: templates('semver({string})', 'semver({string}, true)', '({bool} ? {semver} : {semver})'),
  ip: templates('{cidr}.ip()', 'ip({string})'),
  cidr: templates('{cidr}.masked()', 'cidr({string})'),
  url: templates('url({string})'),
  optionalInt: [
    ...templates('optional.of({int})', 'optional.ofNonZeroValue({int})', '{optionalInt}.or({optionalInt})', '{ints}[?{int}]', '{map}[?"a"]', '{map}.?b', 'optional.of({map}).?a'),
    (grow) => `${grow.of('optionalInt')}.optMap(o, o + ${grow.of('int')})`, (grow) => `${grow.of('optionalInt')}.optFlatMap(o, optional.of(${grow.of('int')}))`,
  ],
  optionalString: templates('optional.of({string})', 'optional.ofNonZeroValue({string})', '{strings}[?{int}]', '{optionalString}.or({optionalString})'),
};
