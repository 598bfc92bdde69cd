export * from './preview-file';
export * from './preview-files';
export * from './preview-input';
