/** A file of a plan folder: a text, or objects below a comment. */
export type PreviewFile =
  | { readonly path: string; readonly text: string }
  | { readonly path: string; readonly comment: readonly string[]; readonly objects: readonly unknown[] };
