/**
 * What Node is told in the image: a heap that is cleaned while it is small, one thread to clean it beside the program, and code that is small rather than
 * fast. Each node runs an agent that sleeps nearly always, so memory counts more than the last microseconds of a burst. By default Node lets garbage grow with
 * the memory of the node, and optimizing compilers need room beside it (`npm run bench -- node`).
 */
export const NODE_ARGUMENTS = ['--max-semi-space-size=1', '--max-old-space-size=96', '--v8-pool-size=1', '--optimize-for-size', '--no-maglev', '--no-opt'];
