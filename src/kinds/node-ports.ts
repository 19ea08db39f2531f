/** The ports of nodes that an API server gives to Services where it is not told others (--service-node-port-range). */
export const defaultNodePorts = { from: 30_000, to: 32_767 } as const;
