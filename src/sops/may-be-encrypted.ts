/** Whether a file may hold values that sops encrypted: few do, and nothing more is loaded for the others. */
export function mayBeEncrypted(data: Uint8Array): boolean {
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength).includes('ENC[AES256_GCM,data:');
}
