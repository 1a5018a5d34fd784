/** The bytes to send, and how many they are. `stream` is asked again when the connection broke on the way. */
export type UploadSource = Blob | StreamedSource;

export interface StreamedSource {
  size: number;
  stream(): ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;
}

export interface UploadOptions {
  /** Required with a session; an API key has its own. */
  targetOrganisationId?: string | undefined;
  /** Left out: that of the file, or `source.zip`. */
  fileName?: string | undefined;
  /** Left out: `application/zip`. A dump is `application/sql` or `application/gzip`. */
  contentType?: string | undefined;
  onProgress?: ((sentBytes: number, totalBytes: number) => void) | undefined;
  signal?: AbortSignal | undefined;
}
