import type { Failure } from './failure';

/** How a failure on a node reads in an event: the code first, so that `explain` finds it again however the kubelet wraps the text. */
export function failureText({ code, name }: Pick<Failure, 'code' | 'name'>, message: string): string {
  return `${code} ${name}: ${message}`;
}
