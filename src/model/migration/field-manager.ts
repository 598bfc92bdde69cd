/** Under which the controller, and the command line in its place, writes what is not Git's: status, routing, bridge names. */
export const FIELD_MANAGER = 'cdk8s-dra-controller';
