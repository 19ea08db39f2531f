/** A file as it came out of a folder or an archive, named below the chart's folder. */
export interface BufferedFile {
  readonly name: string;
  readonly modifiedAt: Date;
  readonly data: Uint8Array;
}

/** How large all files of a chart together may be, in bytes (archive.MaxDecompressedChartSize). */
export const largestChartBytes = 100 * 1024 * 1024;

/** Without the byte order mark that some editors put before UTF-8. */
export const withoutBom = (data: Uint8Array): Uint8Array =>
  data[0] === 0xef && data[1] === 0xbb && data[2] === 0xbf ? data.subarray(3) : data;
