/**
 * What Node is told in the image. Each node runs an agent that sleeps nearly always, so memory counts more than the last milliseconds of a burst.
 */

/** A heap that is cleaned while it is small, with one thread beside the program: by default Node lets garbage grow with the memory of the node. */
const SMALL_HEAP = ['--max-semi-space-size=1', '--max-old-space-size=96', '--v8-pool-size=1'];

/** Code that is small rather than fast, and no optimizing compilers, which need room beside it; what that costs is in `npm run bench -- node`. */
export const SMALL_CODE = ['--optimize-for-size', '--no-maglev', '--no-opt'];

export const NODE_ARGUMENTS = [...SMALL_HEAP, ...SMALL_CODE];
