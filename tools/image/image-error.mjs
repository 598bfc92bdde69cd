/** What stops an image from being built, with the way out; shown without a stack. */
export class ImageError extends Error {
  name = 'ImageError';
}
