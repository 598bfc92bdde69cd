/** Put in by the build. */
declare const KUBECTL_DRA_VERSION: string;

export const AGENT_VERSION: string = KUBECTL_DRA_VERSION;
