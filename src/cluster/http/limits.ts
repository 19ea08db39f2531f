/** How long a TCP connection, or a proxy's tunnel, may take to come up, and then TLS: client-go's limits. */
export const connectMs = 30_000;
export const handshakeMs = 10_000;

// API servers and balancers close idle connections after 60 seconds and more; we let go first, so that no request is
// sent into a connection that is just being closed.
export const idleMs = 30_000;

/** Of an answer's head, in bytes: net/http's limit, which Helm has. */
export const longestHead = 1_048_576;
