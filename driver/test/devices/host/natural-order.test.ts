import { naturalOrder } from '../../../src/devices/host/natural-order.js';

test.each([
  [['renderD128', 'card10', 'card2', 'card1', 'Card1'], ['Card1', 'card1', 'card2', 'card10', 'renderD128']],
  [['0000:3b:00.10', '0000:3b:00.2', '0000:0a:00.0', '0001:00:00.0'], ['0000:0a:00.0', '0000:3b:00.2', '0000:3b:00.10', '0001:00:00.0']],
  [['a1', 'a', 'a01', 'a-1', '', '7', '07', '10'], ['', '07', '7', '10', 'a', 'a-1', 'a01', 'a1']],
  [['n18446744073709551616', 'n18446744073709551615', 'n9'], ['n9', 'n18446744073709551615', 'n18446744073709551616']],
])('numbers inside names count as numbers: %j', (names, sorted) => {
  expect([...names].sort(naturalOrder)).toEqual(sorted);
  expect([...names].reverse().sort(naturalOrder)).toEqual(sorted);
});

test('the order is total: of any three names no two contradict the third', () => {
  const parts = ['', 'a', 'b', '-', ':', '0', '00', '1', '01', '2', '10'];
  const names = parts.flatMap((one) => parts.map((other) => one + other));
  for (const a of names) {
    for (const b of names) {
      expect([a, b, Math.sign(naturalOrder(a, b))]).toEqual([a, b, a === b ? 0 : -Math.sign(naturalOrder(b, a))]);
      if (naturalOrder(a, b) >= 0) continue;
      const wrong = names.find((c) => naturalOrder(b, c) < 0 && naturalOrder(a, c) >= 0);
      expect([a, b, wrong]).toEqual([a, b, undefined]);
    }
  }
});
