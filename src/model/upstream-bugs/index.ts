export { UPSTREAM_BUGS, upstreamBug } from './catalogue';
export type { UpstreamBugId } from './catalogue';
export { affectedVersions, hasBug } from './upstream-bug';
export type { UpstreamBug } from './upstream-bug';
