/** Share ids in the form of random UUIDs, but counted: the same allocation always gets the same ids. */
export function countedShareIds(): () => string {
  let count = 0;
  return () => {
    count += 1;
    return `00000000-0000-4000-8000-${count.toString(16).padStart(12, '0')}`;
  };
}
