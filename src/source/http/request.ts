/** Files of TLS, as the flags --ca-file, --cert-file, --key-file and --insecure-skip-tls-verify name them. */
export interface TlsOptions {
  readonly caFile?: string | undefined;
  readonly certFile?: string | undefined;
  readonly keyFile?: string | undefined;
  readonly insecureSkipTlsVerify?: boolean | undefined;
}

export interface HttpRequest {
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | undefined;
  /** http or https. A user and password in it are sent as basic authorization, where no other is given. */
  readonly url: string;
  /** Names in small letters. An `authorization` is not sent on to another host. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: Uint8Array | undefined;
  readonly tls?: TlsOptions | undefined;
  /** For all of it: retries, redirects and the body. Default 120 s (Helm's getter); 0 for no limit. */
  readonly timeoutMs?: number | undefined;
  /** The largest body that is taken; default 256 MiB: the largest chart that Helm loads has 100 MiB unpacked. */
  readonly maxBytes?: number | undefined;
  /** How often it is sent again after what may pass (connection lost, 408, 429, 5xx); default 3. */
  readonly retries?: number | undefined;
  /** Asks for a compressed body and unpacks it: for text such as an index, never for an archive. */
  readonly isText?: boolean | undefined;
  /** An `authorization` is not sent on to another scheme or port either. */
  readonly staysAtOrigin?: boolean | undefined;
}

export interface HttpAnswer {
  readonly status: number;
  /** As the server words it: `404 Not Found`. */
  readonly statusLine: string;
  /** Names are in lower case; repeated headers are joined by commas. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Uint8Array;
  /** Where the answer came from, after redirects. */
  readonly url: string;
}

/** A body arrives. `totalBytes` where the server has told it. */
export interface DownloadProgress {
  readonly url: string;
  readonly receivedBytes: number;
  readonly totalBytes: number | undefined;
  readonly isDone: boolean;
}
