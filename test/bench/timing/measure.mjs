/**
 * How long one operation takes, in the way of test/oracle/go/timing.go: batches of a few milliseconds, so that a moment in which the
 * machine does something else spoils one of many. Nanoseconds: of all batches the median and the least, and the processor time of the
 * whole process (compiler and garbage collector included) on average.
 */
export function measure(operation, budgetMs) {
  const outcome = operation(0);
  let size = 1;
  let number = 1;
  const batch = () => {
    const start = performance.now();
    for (let i = 0; i < size; i++) operation(number++);
    return performance.now() - start;
  };
  while (batch() < 2) size *= 2;
  // Until the compiler has had its turn, also where the machine gives this process little of its time.
  for (const start = processorTime(); processorTime() - start < budgetMs / 4;) batch();
  const perOperation = [];
  const cpu = processorTime();
  let done = 0;
  while (perOperation.length < 5 || processorTime() - cpu < budgetMs) {
    perOperation.push((batch() * 1e6) / size);
    done += size;
  }
  const spent = processorTime() - cpu;
  perOperation.sort((a, b) => a - b);
  return { outcome, median: perOperation[Math.floor(perOperation.length / 2)], min: perOperation[0], cpu: (spent * 1e6) / done };
}

/** Milliseconds of the whole process so far. */
function processorTime() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
