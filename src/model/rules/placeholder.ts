/**
 * Whether a text stands for one that comes later, so that neither its form nor what it names can be judged.
 *
 * In every kind that is what Flux, kustomize and template engines fill in before an object is applied: `${team}`, `$(TEAM)`,
 * `{{ team }}`. API servers see a Pod or Deployment after that, so that any other sign in it is a mistake. Custom kinds, such as
 * workflows and policies, also have signs for their own controllers, and patterns: `$team`, `{team}`, `<team>`, `*`.
 */
export function isPlaceholder(text: string, isBuiltIn = true): boolean {
  return FILLED_IN.test(text) || (!isBuiltIn && SIGN.test(text));
}

const FILLED_IN = /\$\{.+\}|\$\(.+\)|\{\{.+\}\}/;
const SIGN = /[${}*<>]/;
