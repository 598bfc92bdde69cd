// Not from the index of the model, which would bring all of it.
export { MINORS } from '../../../../lib/src/model/target/versions.js';
